#include <fmt/format.h>
#include <ostream>

#include "reports/conform/conform_views.hh"
#include "reports/html/markup.hh"
#include "reports/html/outcome_table.hh"
#include "reports/html/page_parts.hh"

namespace tcplab::reports {

namespace {

using html::escaped;

std::string_view kind_of(const ConformCell& cell) {
  switch (cell.verdict()) {
    case Conformity::met:
      return "met";
    case Conformity::not_met:
      return "not-met";
    case Conformity::does_not_arise:
      return "does-not-arise";
    case Conformity::not_seen:
      return "not-seen";
  }
  return "none";
}

std::string run_markup(const ConformRun& run) {
  const std::string text = escaped(run.family + ": " + text_of(run));
  if (run.page.empty()) return "<p>" + text + "</p>";
  return fmt::format("<p><a href=\"{}\">{}</a></p>", escaped(run.page), text);
}

html::OutcomeCell outcome_cell(const ConformCell& cell) {
  html::OutcomeCell outcome{.kind = kind_of(cell)};
  outcome.markup = "<p class=\"a-outcome\">" +
                   html::outcome_words(mark_of(cell.verdict()), word(cell.verdict())) + "</p>";
  for (const ConformRun& run : cell.runs) outcome.markup += run_markup(run);
  return outcome;
}

std::string heading_of(const RfcRequirement& requirement) {
  return fmt::format("{}<span class=\"a-family\">{}</span><p>{}</p><p>{}</p>",
                     escaped(requirement.id), name(requirement.level), escaped(requirement.says),
                     escaped(requirement.rfc));
}

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : "<p class=\"outcome\">" + escaped(text) + "</p>\n";
}

}  // namespace

void write_html(std::ostream& out, const Conformance& table) {
  std::vector<html::OutcomeRow> rows;
  for (const ConformRow& row : table.rows) {
    rows.push_back({heading_of(row.requirement)});
    for (const ConformCell& cell : row.cells) rows.back().cells.push_back(outcome_cell(cell));
  }
  out << html::page_begin({"Requirements and TCP stacks"}, "audit", html::kNoScript)
      << "<main>\n<h1>Requirements and TCP stacks</h1>\n";
  for (std::size_t i = 0; i < table.stacks.size(); ++i) out << paragraph(conform_totals(table, i));
  out << paragraph(difference_totals(table))
      << html::outcome_table("requirement", table.stacks, rows) << "</main>\n"
      << html::page_end(html::kNoScript);
}

}  // namespace tcplab::reports
