#include "reports/audit/comparison.hh"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "audit/option_plan.hh"
#include "audit/requirements.hh"
#include "reports/audit/audit_table.hh"
#include "reports/audit/audit_words.hh"
#include "reports/suite/markdown_text.hh"
#include "reports/text/styled_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

using base::nanoseconds;
using capture::AuditOutcome;

namespace {

constexpr nanoseconds kLeast = std::chrono::milliseconds(500);

bool is_told(const audit::Cell& cell) {
  return cell.is_judged && cell.trouble.empty() && cell.outcome != AuditOutcome::not_reached;
}

int rank(const audit::Cell& cell) {
  switch (audit::did_not_react(cell) ? AuditOutcome::hangs : cell.outcome) {
    case AuditOutcome::unaffected:
      return 0;
    case AuditOutcome::recovered:
      return 1;
    case AuditOutcome::error:
      return 2;
    case AuditOutcome::hangs:
      return 3;
    case AuditOutcome::wrong_data:
      return 4;
    case AuditOutcome::not_reached:
      break;
  }
  return 5;
}

std::optional<nanoseconds> time_of(const audit::Cell& cell) {
  return cell.noticed ? std::optional(cell.noticed->after) : cell.took;
}

Change change_of(const audit::Cell& before, const audit::Cell& after) {
  if (!is_told(before) || !is_told(after)) return Change::same;
  const int difference = rank(after) - rank(before);
  if (difference != 0) return difference < 0 ? Change::better : Change::worse;
  if (before.outcome == AuditOutcome::unaffected || audit::did_not_react(after))
    return Change::same;
  const auto was = time_of(before);
  const auto is = time_of(after);
  const bool hangs = before.outcome == AuditOutcome::hangs;
  if (hangs && was.has_value() != is.has_value()) return is ? Change::better : Change::worse;
  if (!was || !is) return Change::same;
  const nanoseconds least = std::max(kLeast, std::min(*was, *is) / 4);
  if (std::max(*was, *is) - std::min(*was, *is) <= least) return Change::same;
  return *is < *was ? Change::better : Change::worse;
}

bool is_same_cell(const audit::Cell& one, const audit::Cell& other) {
  return one.failure == other.failure && one.side == other.side && one.moment == other.moment;
}

const audit::Cell* find(const audit::Audit& audit, const audit::Cell& wanted) {
  const auto found = std::ranges::find_if(
      audit.cells, [&wanted](const audit::Cell& cell) { return is_same_cell(cell, wanted); });
  return found == audit.cells.end() ? nullptr : &*found;
}

Paint paint_of(Change change) {
  if (change == Change::better) return Paint::good;
  return change == Change::worse ? Paint::bad : Paint::dim;
}

/// Names the time to notice only if it is not nearly the time of the outcome.
std::string outcome_of(const audit::Cell* cell) {
  if (cell == nullptr) return "-";
  std::string label = std::string(outcome_mark(*cell)) + " " + outcome_label(*cell);
  if (!cell->noticed) return label;
  const bool is_nearly = cell->took && *cell->took - cell->noticed->after < *cell->took / 10;
  return is_nearly ? label : label + ", noticed " + base::describe(cell->noticed->after);
}

}  // namespace

std::string_view change_word(Change change) {
  switch (change) {
    case Change::same:
      return "";
    case Change::better:
      return "better";
    case Change::worse:
      return "worse";
    case Change::only_before:
      return "only before";
    case Change::only_after:
      return "only after";
  }
  return "";
}

const audit::Cell& either(const CellChange& change) {
  return change.before != nullptr ? *change.before : *change.after;
}

std::string change_name(const CellChange& change) {
  const audit::Cell& cell = either(change);
  return failure_label(cell) + (cell.moment_title.empty() ? "" : ": " + cell.moment_title);
}

std::string change_totals(const std::vector<CellChange>& changes) {
  const auto count = [&changes](Change wanted) {
    return std::ranges::count(changes, wanted, &CellChange::change);
  };
  return fmt::format("{} better, {} worse, {} the same", count(Change::better),
                     count(Change::worse), count(Change::same));
}

std::vector<CellChange> compare(const audit::Audit& before, const audit::Audit& after) {
  std::vector<CellChange> changes;
  for (const audit::Cell& cell : before.cells) {
    const audit::Cell* now = find(after, cell);
    changes.push_back({&cell, now, now ? change_of(cell, *now) : Change::only_before});
  }
  for (const audit::Cell& cell : after.cells)
    if (find(before, cell) == nullptr) changes.push_back({nullptr, &cell, Change::only_after});
  return changes;
}

void write_comparison(std::ostream& out, const audit::Audit& before, const audit::Audit& after,
                      const Style& style) {
  const std::vector<CellChange> changes = compare(before, after);
  const auto line = [&](const StyledText& text) { out << render(text, style) << '\n'; };
  line(StyledText("before: " + before.title, Paint::strong));
  line(StyledText("after:  " + after.title, Paint::strong));
  line(StyledText(change_totals(changes)));
  for (const CellChange& change : changes) {
    if (change.change == Change::same) continue;
    const std::string word(change_word(change.change));
    line({});
    line(StyledText(change_name(change))
             .add(word.empty() ? "" : "  " + word, paint_of(change.change)));
    for (const auto& [label, cell] :
         {std::pair{"  before  ", change.before}, {"  after   ", change.after}}) {
      const std::string why = cell == nullptr ? "" : reason_words(*cell);
      std::string left = label;
      for (const std::string& each : wrap(outcome_of(cell) + (why.empty() ? "" : "; " + why),
                                          std::max(20, style.width - 10))) {
        line(StyledText(left).add(each));
        left = std::string(10, ' ');
      }
    }
  }
}

void write_remaining(std::ostream& out, const audit::Audit& after, const Style& style) {
  audit::Audit rest = after;
  for (audit::Cell& cell : rest.cells) std::erase_if(cell.advice, audit::is_socket_option);
  const std::vector<AdviceGroup> groups = advice_groups(rest);
  if (groups.empty()) return;
  const auto line = [&](const StyledText& text) { out << render(text, style) << '\n'; };
  line({});
  line(StyledText("No socket option does this:", Paint::strong));
  for (const AdviceGroup& group : groups) {
    std::string text = "- " + group.words + ": ";
    for (const audit::Cell* cell : group.cells)
      text += (cell == group.cells.front() ? "" : "; ") + failure_label(*cell) + ", " +
              cell->moment_title;
    for (const std::string& each : wrap(text, std::max(20, style.width - 2)))
      line(StyledText("  ").add(each));
  }
}

void write_comparison_markdown(std::ostream& out, const audit::Audit& before,
                               const audit::Audit& after) {
  const std::vector<CellChange> changes = compare(before, after);
  out << markdown_text(change_totals(changes))
      << "\n\n| failure: moment | before | after | change |\n|---|---|---|---|\n";
  for (const CellChange& change : changes)
    out << fmt::format("| {} | {} | {} | {} |\n", markdown_text(change_name(change)),
                       markdown_text(outcome_of(change.before)),
                       markdown_text(outcome_of(change.after)), change_word(change.change));
}

}  // namespace tcplab::reports
