// A table of scenarios and kernels. A cell lists how a scenario's behaviour on a kernel differs
// from that on the first kernel.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/event/event.hh"
#include "reports/diff/difference.hh"

namespace tcplab::reports {

enum class MatrixKind : std::uint8_t { same, differs, skipped, failed };

struct MatrixRun {
  capture::Outcome outcome = capture::Outcome::passed;
  std::string reason{};
  std::string directory{};
  std::optional<Behaviour> behaviour{};  // if it passed
};

struct MatrixCell {
  MatrixKind kind = MatrixKind::same;
  std::string reason{};     // skipped, failed: why
  Difference difference{};  // differs: from the first kernel
  std::string directory{};  // the folder of the run that the cell is about
  std::size_t runs = 1;
  std::size_t ways = 1;  // how many kinds of behaviour the runs have
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
  int repeat = 1;  // how often each was run on each kernel
};

/// Returns the cell of a scenario's runs on a kernel. It has failed if any run has. It is the same
/// as the first kernel if one of its runs behaves like one of the runs there; otherwise it differs
/// by the smallest difference of two such runs. `first` is empty for the first kernel, and if no
/// run passed there. Throws std::invalid_argument if there is no run.
MatrixCell matrix_cell(std::span<const MatrixRun> runs, std::span<const MatrixRun> first);

/// Returns "same", "differs", "skipped" or "failed".
std::string_view word(MatrixKind kind);
/// Returns a mark for it: "✓", "≠", "∅" or "✗".
std::string_view mark_of(MatrixKind kind);

/// Returns what differs in a few words: "states of kang: - FIN_WAIT2 to TIME_WAIT"; or why there
/// was nothing to compare; or that the runs differ from each other: "5 runs in 3 ways".
std::string summary_of(const MatrixCell& cell);

/// Returns "30 runs on 2 kernels, 5 times each: 26 alike, 2 different, 0 failed, 2 skipped". A row
/// counts once: as failed if it has failed on a kernel, else as different, else as skipped.
std::string matrix_totals(const Matrix& matrix);

/// Returns the rows to show: those that are not the same everywhere, or all.
std::vector<const MatrixRow*> rows_to_show(const Matrix& matrix, bool is_all);

}  // namespace tcplab::reports
