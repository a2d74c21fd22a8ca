#include "reports/html/capture_index.hh"

#include <fmt/format.h>

#include "reports/html/markup.hh"
#include "reports/html/page_parts.hh"

namespace tcplab::html {

namespace {

/// Each cell has the heading of its column, for narrow screens, where a row is not in columns.
std::string row_of(const CaptureRow& row, const std::vector<std::string>& headings) {
  std::string out =
      fmt::format("<tr><td>{}</td>", row.is_bad ? "<span class=\"badge failed\">✗</span>"
                                                : "<span class=\"badge passed\">✓</span>");
  for (std::size_t column = 0; column < row.cells.size(); ++column) {
    const std::string text = escaped(row.cells[column]);
    const bool is_link = column == 0 && !row.page.empty();
    out += fmt::format("<td data-of=\"{}\">", escaped(headings.at(column)));
    out += is_link ? fmt::format("<a href=\"{}\">{}</a></td>", link_to(row.page), text)
                   : text + "</td>";
  }
  return out + "</tr>\n";
}

}  // namespace

std::string capture_index(const CaptureTable& table) {
  std::string out = page_begin({table.title + " · tcplab"}, "index", kNoScript) +
                    "<main>\n<header><h1>" + escaped(table.title) + "</h1>\n";
  for (const std::string& paragraph : table.paragraphs)
    out += fmt::format("<p class=\"conditions\">{}</p>\n", escaped(paragraph));
  out +=
      "</header>\n<section class=\"connections\" aria-label=\"Connections\"><table>\n<thead><tr>"
      "<th scope=\"col\">ok</th>";
  for (const std::string& heading : table.headings)
    out += fmt::format("<th scope=\"col\">{}</th>", escaped(heading));
  out += "</tr></thead>\n<tbody>\n";
  for (const CaptureRow& row : table.rows) out += row_of(row, table.headings);
  return out + "</tbody></table></section>\n</main>\n" + page_end(kNoScript);
}

}  // namespace tcplab::html
