// Scenario by kernel: each cell has how the behaviour on a kernel differs from that on the first
// one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capture/event/event.hh"
#include "reports/diff/difference.hh"

namespace tcplab::reports {

enum class MatrixKind : std::uint8_t { same, differs, skipped, failed };

struct MatrixCell {
  MatrixKind kind = MatrixKind::same;
  std::string reason{};     // skipped, failed: why
  Difference difference{};  // differs: from the first kernel
  std::string directory{};  // the folder of the run
};

/// A scenario on one family, and a cell for each kernel. The first cell is never `differs`.
struct MatrixRow {
  std::string name;     // "power-cycle"
  std::string variant;  // "IPv4, fast"
  std::vector<MatrixCell> cells;

  /// Returns whether it behaves alike on all kernels that it runs on.
  bool is_same() const;
};

struct Matrix {
  std::vector<std::string> kernels;  // "6.18.5 (this)", "6.1.176"
  std::vector<MatrixRow> rows;
};

/// Returns the cell of a run: of its outcome, or what it does other than the run on the first
/// kernel. `first` is null for the first kernel, and if the run there did not pass.
MatrixCell matrix_cell(capture::Outcome outcome, const std::string& reason, const Behaviour& run,
                       const Behaviour* first);

/// Returns "same", "differs", "skipped" or "failed".
std::string_view word(MatrixKind kind);
/// Returns a mark for it: "✓", "≠", "∅" or "✗".
std::string_view mark_of(MatrixKind kind);

/// Returns what differs in a few words: "states of kang: - FIN_WAIT2 to TIME_WAIT"; or why there
/// was nothing to compare.
std::string summary_of(const MatrixCell& cell);

/// Returns "30 runs on 2 kernels: 26 behave alike, 2 differ, 0 fail, 2 not compared". A row is not
/// compared if it passed on fewer than two kernels.
std::string matrix_totals(const Matrix& matrix);

/// Returns the rows to show: those that are not the same everywhere, or all.
std::vector<const MatrixRow*> rows_to_show(const Matrix& matrix, bool is_all);

}  // namespace tcplab::reports
