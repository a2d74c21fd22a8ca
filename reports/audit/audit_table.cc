#include "reports/audit/audit_table.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "reports/audit/audit_words.hh"
#include "reports/text/audit_text.hh"

namespace tcplab::reports {

using capture::AuditOutcome;

std::vector<const Cell*> FailureRow::at(const std::string& moment_title) const {
  std::vector<const Cell*> found;
  for (const Cell* cell : cells)
    if (cell->moment_title == moment_title) found.push_back(cell);
  return found;
}

std::vector<FailureRow> failure_rows(const Audit& audit) {
  std::vector<FailureRow> rows;
  for (const Cell& cell : audit.cells) {
    if (cell.failure.empty()) continue;
    const std::string label = failure_label(cell);
    auto row = std::ranges::find(rows, label, &FailureRow::label);
    if (row == rows.end()) row = rows.insert(rows.end(), {label, {}});
    row->cells.push_back(&cell);
  }
  return rows;
}

std::vector<std::string> moments_of(const Audit& audit) {
  std::vector<std::string> moments;
  for (const Cell& cell : audit.cells)
    if (!cell.failure.empty() && std::ranges::find(moments, cell.moment_title) == moments.end())
      moments.push_back(cell.moment_title);
  return moments;
}

const Cell* baseline_of(const Audit& audit) {
  const auto found = std::ranges::find(audit.cells, "", &Cell::failure);
  return found == audit.cells.end() ? nullptr : &*found;
}

std::vector<AdviceGroup> advice_groups(const Audit& audit) {
  std::vector<AdviceGroup> groups;
  for (const Cell& cell : audit.cells)
    for (const std::string& words : advice_words(cell)) {
      auto group = std::ranges::find(groups, words, &AdviceGroup::words);
      if (group == groups.end()) group = groups.insert(groups.end(), {words, {}});
      group->cells.push_back(&cell);
    }
  std::ranges::stable_sort(groups, std::greater{},
                           [](const AdviceGroup& group) { return group.cells.size(); });
  return groups;
}

std::string count_words(const Audit& audit) {
  constexpr std::array kAll = {AuditOutcome::unaffected, AuditOutcome::recovered,
                               AuditOutcome::error,      AuditOutcome::wrong_data,
                               AuditOutcome::hangs,      AuditOutcome::not_reached};
  std::array<int, kAll.size()> counts{};
  int all = 0;
  int failed = 0;
  for (const Cell& cell : audit.cells) {
    if (cell.failure.empty()) continue;
    ++all;
    if (!cell.trouble.empty() || !cell.is_judged)
      ++failed;
    else
      ++counts[static_cast<std::size_t>(cell.outcome)];
  }
  std::string words;
  for (const AuditOutcome outcome : kAll)
    if (const int count = counts[static_cast<std::size_t>(outcome)]; count > 0)
      words += fmt::format(", {} {}", count, outcome_text(outcome));
  if (failed > 0) words += fmt::format(", {} not judged", failed);
  return fmt::format("{} cell{}", all, all == 1 ? "" : "s") +
         (words.empty() ? "" : ": " + words.substr(2));
}

}  // namespace tcplab::reports
