#include <fmt/format.h>
#include <ostream>

#include "reports/audit/audit_markup.hh"
#include "reports/audit/audit_words.hh"
#include "reports/audit/comparison.hh"
#include "reports/html/markup.hh"
#include "reports/html/page_parts.hh"

namespace tcplab::reports {

namespace {

using html::escaped;

std::string column(const audit::Cell* cell, std::string_view label) {
  if (cell == nullptr) return "<td class=\"o-none\"></td>";
  const std::string why = reason_words(*cell);
  return fmt::format("<td class=\"o-{}\" data-moment=\"{}\">{}{}</td>", outcome_class(*cell), label,
                     outcome_markup(*cell), why.empty() ? "" : "<p>" + escaped(why) + "</p>");
}

std::string row(const CellChange& change) {
  const std::string_view word = change_word(change.change);
  return fmt::format("<tr><th scope=\"row\">{}{}</th>{}{}</tr>\n", escaped(change_name(change)),
                     word.empty() ? "" : fmt::format("<p class=\"a-change\">{}</p>", word),
                     column(change.before, "before"), column(change.after, "after"));
}

}  // namespace

void write_comparison_html(std::ostream& out, const audit::Audit& before,
                           const audit::Audit& after) {
  const std::vector<CellChange> changes = compare(before, after);
  out << html::page_begin(before.title + ": before and after", "audit", html::kNoScript)
      << "<main>\n<h1>" << escaped(before.title) << ": before and after</h1>\n<p class=\"outcome\">"
      << escaped(change_totals(changes)) << "</p>\n"
      << "<div class=\"a-matrix\"><table><thead><tr><th scope=\"col\">failure</th>"
      << "<th scope=\"col\">before: " << escaped(before.title)
      << "</th><th scope=\"col\">after: " << escaped(after.title)
      << "</th></tr></thead>\n<tbody>\n";
  for (const CellChange& change : changes)
    if (!either(change).failure.empty()) out << row(change);
  out << "</tbody></table></div>\n</main>\n" << html::page_end(html::kNoScript);
}

}  // namespace tcplab::reports
