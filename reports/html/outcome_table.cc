#include "reports/html/outcome_table.hh"

#include <fmt/format.h>

#include "reports/html/markup.hh"

namespace tcplab::html {

std::string outcome_table(std::string_view rows_are, const std::vector<std::string>& columns,
                          const std::vector<OutcomeRow>& rows) {
  std::string out =
      fmt::format("<div class=\"a-matrix\"><table><thead><tr><th scope=\"col\">{}</th>", rows_are);
  for (const std::string& column : columns)
    out += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  out += "</tr></thead>\n<tbody>\n";
  for (const OutcomeRow& row : rows) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", row.heading);
    for (std::size_t i = 0; i < row.cells.size(); ++i)  // a narrow screen shows data-column
      out += fmt::format("<td class=\"o-{}\" data-column=\"{}\">{}</td>", row.cells[i].kind,
                         escaped(columns.at(i)), row.cells[i].markup);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string outcome_words(std::string_view mark, std::string_view words) {
  return fmt::format("<span class=\"a-mark\" aria-hidden=\"true\">{}</span> {}", mark,
                     escaped(words));
}

}  // namespace tcplab::html
