// The order of an audit's cells, for every view: rows of failures, columns of moments.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.hh"

namespace tcplab::reports {

/// One failure, and its cells in the order of the audit.
struct FailureRow {
  std::string label;  // "power off, server"
  std::vector<const audit::Cell*> cells;

  /// Returns the cells of a moment: usually one; more if the audit repeats it; empty if it has
  /// none.
  std::vector<const audit::Cell*> at(const std::string& moment_title) const;
};

/// Returns the failures in the order in which they come first, without the baseline.
std::vector<FailureRow> failure_rows(const audit::Audit& audit);
/// Returns the titles of the moments, in the order in which they come first.
std::vector<std::string> moments_of(const audit::Audit& audit);
/// Returns the cell without a failure; null if there is none.
const audit::Cell* baseline_of(const audit::Audit& audit);

/// One change, and the cells that it would help.
struct AdviceGroup {
  std::string words;
  std::vector<const audit::Cell*> cells;
};

/// Returns each advice once, the one for most cells first.
std::vector<AdviceGroup> advice_groups(const audit::Audit& audit);

/// Returns "21 cells: 3 unaffected, 5 recovered, 10 error, 3 hangs", without the baseline.
std::string count_words(const audit::Audit& audit);

}  // namespace tcplab::reports
