#include <fmt/format.h>
#include <ostream>

#include "reports/matrix/matrix_views.hh"
#include "reports/suite/markdown_text.hh"

namespace tcplab::reports {

namespace {

std::string text_of(const MatrixCell& cell) {
  const std::string summary = summary_of(cell);
  return fmt::format("{} {}{}", mark_of(cell.kind), word(cell.kind),
                     summary.empty() ? "" : ": " + markdown_text(summary));
}

}  // namespace

void write_markdown(std::ostream& out, const Matrix& matrix, bool is_all) {
  out << markdown_text(matrix_totals(matrix)) << "\n";
  const std::vector<const MatrixRow*> rows = rows_to_show(matrix, is_all);
  if (rows.empty()) return;
  out << "\n| scenario | |";
  std::string rule = "|---|---|";
  for (const std::string& kernel : matrix.kernels) {
    out << " " << markdown_text(kernel) << " |";
    rule += "---|";
  }
  out << "\n" << rule << "\n";
  for (const MatrixRow* row : rows) {
    out << fmt::format("| {} | {} |", markdown_text(row->name), markdown_text(row->variant));
    for (const MatrixCell& cell : row->cells) out << " " << text_of(cell) << " |";
    out << "\n";
  }
}

}  // namespace tcplab::reports
