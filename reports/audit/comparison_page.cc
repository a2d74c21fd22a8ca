#include <fmt/format.h>
#include <ostream>

#include "reports/audit/audit_markup.hh"
#include "reports/audit/audit_words.hh"
#include "reports/audit/comparison.hh"
#include "reports/html/markup.hh"
#include "reports/html/outcome_table.hh"
#include "reports/html/page_parts.hh"

namespace tcplab::reports {

namespace {

using html::escaped;

html::OutcomeCell column(const audit::Cell* cell) {
  if (cell == nullptr) return {};
  const std::string why = reason_words(*cell);
  return {outcome_class(*cell),
          outcome_markup(*cell) + (why.empty() ? "" : "<p>" + escaped(why) + "</p>")};
}

std::string heading(const CellChange& change) {
  const std::string_view word = change_word(change.change);
  return escaped(change_name(change)) +
         (word.empty() ? "" : fmt::format("<p class=\"a-change\">{}</p>", word));
}

}  // namespace

void write_comparison_html(std::ostream& out, const audit::Audit& before,
                           const audit::Audit& after) {
  const std::vector<CellChange> changes = compare(before, after);
  std::vector<html::OutcomeRow> rows;
  for (const CellChange& change : changes)
    if (!either(change).failure.empty())
      rows.push_back({heading(change), {column(change.before), column(change.after)}});
  out << html::page_begin({before.title + ": before and after"}, "audit", html::kNoScript)
      << "<main>\n<h1>" << escaped(before.title) << ": before and after</h1>\n<p class=\"outcome\">"
      << escaped(change_totals(changes)) << "</p>\n"
      << html::outcome_table("failure", {"before: " + before.title, "after: " + after.title}, rows)
      << "</main>\n"
      << html::page_end(html::kNoScript);
}

}  // namespace tcplab::reports
