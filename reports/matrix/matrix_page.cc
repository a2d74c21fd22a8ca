#include <fmt/format.h>
#include <ostream>

#include "reports/html/markup.hh"
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

std::string cell_markup(const MatrixCell& cell, const std::string& kernel) {
  return fmt::format(
      "<td class=\"o-{}\" data-moment=\"{}\"><p class=\"a-outcome\"><span class=\"a-mark\" "
      "aria-hidden=\"true\">{}</span> {}</p>{}{}</td>",
      word(cell.kind), escaped(kernel), mark_of(cell.kind), word(cell.kind), remark(cell),
      details(cell.difference));
}

}  // namespace

void write_html(std::ostream& out, const Matrix& matrix) {
  out << html::page_begin("Scenarios and kernels", "audit", html::kNoScript)
      << "<main>\n<h1>Scenarios and kernels</h1>\n<p class=\"outcome\">"
      << escaped(matrix_totals(matrix))
      << "</p>\n<div class=\"a-matrix\"><table><thead><tr><th scope=\"col\">scenario</th>";
  for (const std::string& kernel : matrix.kernels)
    out << "<th scope=\"col\">" << escaped(kernel) << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const MatrixRow& row : matrix.rows) {
    out << "<tr><th scope=\"row\">" << escaped(row.name) << "<span class=\"a-family\">"
        << escaped(row.variant) << "</span></th>";
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      out << cell_markup(row.cells[i], matrix.kernels[i]);
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n</main>\n" << html::page_end(html::kNoScript);
}

}  // namespace tcplab::reports
