#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "reports/matrix/matrix_views.hh"
#include "reports/text/hanging.hh"
#include "reports/text/styled_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kNarrow = 80;  // below it, what a cell says has lines of its own

Paint paint_of(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::same:
      return Paint::good;
    case MatrixKind::differs:
      return Paint::action;
    case MatrixKind::skipped:
      return Paint::dim;
    case MatrixKind::failed:
      return Paint::bad;
  }
  return Paint::plain;
}

/// A row for each scenario, and below it a line for each cell with something to say.
class MatrixWriter {
public:
  MatrixWriter(std::ostream& out, const Style& style, const Matrix& matrix)
      : out_(out), style_(style), matrix_(matrix) {
    for (const std::string& kernel : matrix.kernels)
      kernel_width_ = std::max(kernel_width_, columns(printable(kernel)));
  }

  void write(const std::vector<const MatrixRow*>& rows) {
    for (const MatrixRow* row : rows) write(*row);
    if (!rows.empty()) out_ << '\n';
    write_hanging(out_, "", matrix_totals(matrix_), Paint::strong, style_);
  }

private:
  void line(const StyledText& text) { out_ << render(text, style_) << '\n'; }

  void write(const MatrixRow& row) {
    line(StyledText(printable(row.name), Paint::strong).add("  " + row.variant, Paint::dim));
    for (std::size_t i = 0; i < row.cells.size(); ++i) write(matrix_.kernels[i], row.cells[i]);
  }

  void write(const std::string& kernel, const MatrixCell& cell) {
    std::string left = "  " + printable(kernel);
    left.append(static_cast<std::size_t>(std::max(2, kernel_width_ + 4 - columns(left))), ' ');
    const std::string lead = fmt::format("{}{} {:<8}", left, mark_of(cell.kind), word(cell.kind));
    const std::string summary = summary_of(cell);
    if (summary.empty() || style_.width < kNarrow) line(StyledText(lead, paint_of(cell.kind)));
    if (summary.empty()) return;
    write_hanging(out_, style_.width < kNarrow ? "    " : lead + "  ", summary, paint_of(cell.kind),
                  style_);
  }

  std::ostream& out_;
  const Style& style_;
  const Matrix& matrix_;
  int kernel_width_ = 0;
};

}  // namespace

void write_text(std::ostream& out, const Matrix& matrix, const Style& style, bool is_all) {
  MatrixWriter(out, style, matrix).write(rows_to_show(matrix, is_all));
}

}  // namespace tcplab::reports
