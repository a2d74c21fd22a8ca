#include <fmt/format.h>
#include <ostream>

#include "reports/html/markup.hh"
#include "reports/html/outcome_table.hh"
#include "reports/html/page_parts.hh"
#include "reports/matrix/matrix_views.hh"

namespace tcplab::reports {

namespace {

using html::escaped;

std::string line_markup(const DifferenceLine& line) {
  switch (line.kind) {
    case DifferenceLine::Kind::removed:
      return "<del>- " + escaped(line.text) + "</del>\n";
    case DifferenceLine::Kind::added:
      return "<ins>+ " + escaped(line.text) + "</ins>\n";
    case DifferenceLine::Kind::unknown:
      return "? " + escaped(line.text) + "\n";
    case DifferenceLine::Kind::same:
    case DifferenceLine::Kind::gap:
      break;
  }
  return "  " + escaped(line.text) + "\n";
}

std::string details(const Difference& difference) {
  std::string out;
  for (const ListDifference& list : difference.lists) {
    out += "<details><summary>" + escaped(list.title) + "</summary><pre class=\"m-lines\">";
    for (const DifferenceLine& line : list.lines) out += line_markup(line);
    out += "</pre></details>";
  }
  if (difference.is_one_cut_off) out += "<p>one of the runs was cut off</p>";
  for (const std::string& note : difference.notes) out += "<p>" + escaped(note) + "</p>";
  return out;
}

/// A cell that differs has its details instead.
std::string remark(const MatrixCell& cell) {
  const std::string text = cell.kind == MatrixKind::differs ? "" : summary_of(cell);
  return text.empty() ? "" : "<p>" + escaped(text) + "</p>";
}

html::OutcomeCell outcome_cell(const MatrixCell& cell) {
  return {word(cell.kind), "<p class=\"a-outcome\">" +
                               html::outcome_words(mark_of(cell.kind), word(cell.kind)) + "</p>" +
                               remark(cell) + details(cell.difference)};
}

}  // namespace

void write_html(std::ostream& out, const Matrix& matrix) {
  std::vector<html::OutcomeRow> rows;
  for (const MatrixRow& row : matrix.rows) {
    rows.push_back({fmt::format("{}<span class=\"a-family\">{}</span>", escaped(row.name),
                                escaped(row.variant))});
    for (const MatrixCell& cell : row.cells) rows.back().cells.push_back(outcome_cell(cell));
  }
  out << html::page_begin({"Scenarios and kernels"}, "audit", html::kNoScript)
      << "<main>\n<h1>Scenarios and kernels</h1>\n<p class=\"outcome\">"
      << escaped(matrix_totals(matrix)) << "</p>\n"
      << html::outcome_table("scenario", matrix.kernels, rows) << "</main>\n"
      << html::page_end(html::kNoScript);
}

}  // namespace tcplab::reports
