#include "reports/audit/audit_table.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "reports/audit/audit_words.hh"

namespace tcplab::reports {

std::vector<const audit::Cell*> FailureRow::at(const std::string& moment_title) const {
  std::vector<const audit::Cell*> found;
  for (const audit::Cell* cell : cells)
    if (cell->moment_title == moment_title) found.push_back(cell);
  return found;
}

std::vector<FailureRow> failure_rows(const audit::Audit& audit) {
  std::vector<FailureRow> rows;
  for (const audit::Cell& cell : audit.cells) {
    if (cell.failure.empty()) continue;
    const std::string label = failure_label(cell);
    auto row = std::ranges::find(rows, label, &FailureRow::label);
    if (row == rows.end()) row = rows.insert(rows.end(), {label, {}});
    row->cells.push_back(&cell);
  }
  return rows;
}

std::vector<std::string> moments_of(const audit::Audit& audit) {
  std::vector<std::string> moments;
  for (const audit::Cell& cell : audit.cells)
    if (!cell.failure.empty() && std::ranges::find(moments, cell.moment_title) == moments.end())
      moments.push_back(cell.moment_title);
  return moments;
}

const audit::Cell* baseline_of(const audit::Audit& audit) {
  const auto found = std::ranges::find(audit.cells, "", &audit::Cell::failure);
  return found == audit.cells.end() ? nullptr : &*found;
}

std::vector<AdviceGroup> advice_groups(const audit::Audit& audit) {
  std::vector<AdviceGroup> groups;
  for (const audit::Cell& cell : audit.cells)
    for (const std::string& words : advice_words(cell)) {
      auto group = std::ranges::find(groups, words, &AdviceGroup::words);
      if (group == groups.end()) group = groups.insert(groups.end(), {words, {}});
      group->cells.push_back(&cell);
    }
  std::ranges::stable_sort(groups, std::greater{},
                           [](const AdviceGroup& group) { return group.cells.size(); });
  return groups;
}

std::string count_words(const audit::Audit& audit) {
  constexpr std::array<std::string_view, 10> kAll = {
      "unaffected", "recovered", "did not react", "error",       "wrong data",
      "hangs",      "let go",    "kept",          "not reached", "not judged"};
  std::map<std::string_view, int> counts;
  int all = 0;
  for (const audit::Cell& cell : audit.cells) {
    if (cell.failure.empty()) continue;
    ++all;
    ++counts[cell.trouble.empty() && cell.is_judged ? outcome_word(cell) : "not judged"];
  }
  std::string words;
  for (const std::string_view outcome : kAll)
    if (counts[outcome] > 0) words += fmt::format(", {} {}", counts[outcome], outcome);
  return fmt::format("{} cell{}", all, all == 1 ? "" : "s") +
         (words.empty() ? "" : ": " + words.substr(2));
}

}  // namespace tcplab::reports
