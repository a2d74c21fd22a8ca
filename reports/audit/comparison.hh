// Two audits side by side: before and after a change.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

enum class Change : std::uint8_t { same, better, worse, only_before, only_after };

/// The cells of both audits with the same failure, side and moment.
struct CellChange {
  const audit::Cell* before = nullptr;  // null if only_after
  const audit::Cell* after = nullptr;   // null if only_before
  Change change = Change::same;
};

/// Returns each cell of both audits, in the order of `before`; new cells last. Both must outlive
/// the result. The order of outcomes is: unaffected, recovered, error, hangs, wrong data. With the
/// same outcome, a time to notice (or else to end) that differs by more than a quarter, and by at
/// least half a second, is a change.
std::vector<CellChange> compare(const audit::Audit& before, const audit::Audit& after);

/// Returns the cell before, or else the cell after.
const audit::Cell& either(const CellChange& change);

/// Returns "power off, server: waiting for the answer".
std::string change_name(const CellChange& change);

/// Returns "better"; empty if it is the same.
std::string_view change_word(Change change);

/// Returns "3 better, 0 worse, 12 the same".
std::string change_totals(const std::vector<CellChange>& changes);

/// Writes the cells that differ, before and after, and how many are better, worse and the same.
void write_comparison(std::ostream& out, const audit::Audit& before, const audit::Audit& after,
                      const Style& style);

/// Writes a page with both, each cell linked to its page.
void write_comparison_html(std::ostream& out, const audit::Audit& before,
                           const audit::Audit& after);

/// Writes the advice that no socket option can carry out, if there is any.
void write_remaining(std::ostream& out, const audit::Audit& after, const Style& style);

/// Writes the same as Markdown.
void write_comparison_markdown(std::ostream& out, const audit::Audit& before,
                               const audit::Audit& after);

}  // namespace tcplab::reports
