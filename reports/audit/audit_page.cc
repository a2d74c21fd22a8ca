#include "reports/audit/audit_page.hh"

#include <fmt/format.h>
#include <ostream>

#include "reports/audit/audit_markup.hh"
#include "reports/audit/audit_table.hh"
#include "reports/audit/audit_words.hh"
#include "reports/html/markup.hh"
#include "reports/html/outcome_table.hh"
#include "reports/html/page_parts.hh"

namespace tcplab::reports {

namespace {

using html::escaped;

std::string line(std::string_view kind, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>", kind, escaped(text));
}

std::string details(const audit::Cell& cell) {
  std::string noticed;
  if (cell.noticed)
    noticed = base::describe(cell.noticed->after) + ": " + noticed_words(*cell.noticed);
  return line("a-noticed", noticed) + line("a-reason", reaction_words(cell)) +
         line("a-reason", reason_words(cell)) + line("a-repeats", repeat_words(cell)) +
         line("a-server", server_words(cell)) + line("a-trouble", cell.trouble) +
         line("a-seen", cell.text);
}

/// Several cells share one place if the audit repeats it.
html::OutcomeCell page_cell(const std::vector<const audit::Cell*>& cells) {
  if (cells.empty()) return {};
  html::OutcomeCell out{.kind = outcome_class(*cells.front())};
  for (const audit::Cell* cell : cells) out.markup += outcome_markup(*cell) + details(*cell);
  return out;
}

std::string matrix(const audit::Audit& audit) {
  const std::vector<std::string> moments = moments_of(audit);
  std::vector<html::OutcomeRow> rows;
  for (const FailureRow& row : failure_rows(audit)) {
    rows.push_back({escaped(row.label)});
    for (const std::string& moment : moments)
      rows.back().cells.push_back(page_cell(row.at(moment)));
  }
  return html::outcome_table("failure", moments, rows);
}

std::string advice(const audit::Audit& audit) {
  const std::vector<AdviceGroup> groups = advice_groups(audit);
  if (groups.empty()) return "";
  std::string out = "<section class=\"a-advice\"><h2>What to change</h2>\n<ul>\n";
  for (const AdviceGroup& group : groups) {
    out += "<li>" + escaped(group.words) + "<p class=\"a-cells\">";
    for (const audit::Cell* cell : group.cells)
      out += linked(escaped(failure_label(*cell) + ", " + cell->moment_title), *cell) +
             (cell == group.cells.back() ? "" : "; ");
    out += "</p></li>\n";
  }
  return out + "</ul></section>\n";
}

std::string baseline(const audit::Audit& audit) {
  const audit::Cell* cell = baseline_of(audit);
  if (cell == nullptr) return "";
  const std::string took = cell->took ? ", " + base::describe(*cell->took) : "";
  return "<p class=\"conditions\">" +
         linked("Without a failure: " + escaped(outcome_label(*cell) + took), *cell) + "</p>\n";
}

}  // namespace

void write_html(std::ostream& out, const audit::Audit& audit) {
  out << html::page_begin({audit.title + ": failure audit"}, "audit", html::kNoScript)
      << "<main>\n<h1>" << escaped(audit.title) << "</h1>\n<p class=\"outcome\">"
      << escaped(count_words(audit)) << "</p>\n"
      << baseline(audit) << matrix(audit) << advice(audit) << "</main>\n"
      << html::page_end(html::kNoScript);
}

}  // namespace tcplab::reports
