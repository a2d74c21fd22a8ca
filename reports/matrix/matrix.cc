#include "reports/matrix/matrix.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace tcplab::reports {

namespace {

constexpr std::size_t kMostLists = 3;  // in a summary

bool has_run(const MatrixCell& cell) {
  return cell.kind == MatrixKind::same || cell.kind == MatrixKind::differs;
}

/// If the calls of a program are recorded on one kernel only, they cannot be compared.
void forget_unrecorded_calls(Difference& difference, const Behaviour& one, const Behaviour& other) {
  std::erase_if(difference.lists, [&](const ListDifference& list) {
    const bool is_recorded = one.lines().contains(list.title) && other.lines().contains(list.title);
    return list.title.starts_with("calls of ") && !is_recorded;
  });
}

/// The first line that only one of the runs has: "+ RST".
std::string first_change(const ListDifference& list) {
  for (const DifferenceLine& line : list.lines) {
    if (line.kind == DifferenceLine::Kind::removed) return "- " + line.text;
    if (line.kind == DifferenceLine::Kind::added) return "+ " + line.text;
    if (line.kind == DifferenceLine::Kind::unknown) return line.text;
  }
  return "";
}

std::string summary_of(const Difference& difference) {
  std::string text;
  const std::size_t shown = std::min(kMostLists, difference.lists.size());
  for (const ListDifference& list : std::span(difference.lists).first(shown))
    text += (text.empty() ? "" : "; ") + list.title + ": " + first_change(list);
  if (difference.lists.size() > shown)
    text += fmt::format("; and {} more lists", difference.lists.size() - shown);
  if (difference.is_one_cut_off) text += (text.empty() ? "" : "; ") + std::string("it was cut off");
  return text;
}

}  // namespace

bool MatrixRow::is_same() const {
  return std::ranges::all_of(cells,
                             [](const MatrixCell& cell) { return cell.kind == MatrixKind::same; });
}

MatrixCell matrix_cell(capture::Outcome outcome, const std::string& reason, const Behaviour& run,
                       const Behaviour* first) {
  if (outcome == capture::Outcome::skipped) return {.kind = MatrixKind::skipped, .reason = reason};
  if (outcome != capture::Outcome::passed) return {.kind = MatrixKind::failed, .reason = reason};
  if (first == nullptr) return {};
  Difference difference = find_difference(*first, run);
  forget_unrecorded_calls(difference, *first, run);
  if (difference.is_none()) return {};
  return {.kind = MatrixKind::differs, .difference = std::move(difference)};
}

std::string_view word(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::same:
      return "same";
    case MatrixKind::differs:
      return "differs";
    case MatrixKind::skipped:
      return "skipped";
    case MatrixKind::failed:
      return "failed";
  }
  return "";
}

std::string_view mark_of(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::same:
      return "✓";
    case MatrixKind::differs:
      return "≠";
    case MatrixKind::skipped:
      return "∅";
    case MatrixKind::failed:
      return "✗";
  }
  return "";
}

std::string summary_of(const MatrixCell& cell) {
  return cell.kind == MatrixKind::differs ? summary_of(cell.difference) : cell.reason;
}

std::string matrix_totals(const Matrix& matrix) {
  int same = 0;
  int differ = 0;
  int skipped = 0;
  int failed = 0;
  for (const MatrixRow& row : matrix.rows) {
    const auto any = [&row](MatrixKind kind) {
      return std::ranges::find(row.cells, kind, &MatrixCell::kind) != row.cells.end();
    };
    if (any(MatrixKind::failed))
      ++failed;
    else if (any(MatrixKind::differs))
      ++differ;
    else if (std::ranges::count_if(row.cells, has_run) < 2)
      ++skipped;
    else
      ++same;
  }
  return fmt::format("{} runs on {} kernels: {} alike, {} different, {} failed, {} not compared",
                     matrix.rows.size(), matrix.kernels.size(), same, differ, failed, skipped);
}

std::vector<const MatrixRow*> rows_to_show(const Matrix& matrix, bool is_all) {
  std::vector<const MatrixRow*> rows;
  for (const MatrixRow& row : matrix.rows)
    if (is_all || !row.is_same()) rows.push_back(&row);
  return rows;
}

}  // namespace tcplab::reports
