#include "reports/matrix/matrix.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <stdexcept>
#include <utility>

namespace tcplab::reports {

namespace {

constexpr std::size_t kMostLists = 3;  // in a summary

/// If the calls of a program are recorded on one kernel only, they cannot be compared.
void forget_unrecorded_calls(Difference& difference, const Behaviour& one, const Behaviour& other) {
  std::erase_if(difference.lists, [&](const ListDifference& list) {
    const bool is_recorded = one.lines().contains(list.title) && other.lines().contains(list.title);
    return list.title.starts_with("calls of ") && !is_recorded;
  });
}

/// The first lines that only one of the runs has, one of each: "- FIN, + RST".
std::string first_change(const ListDifference& list) {
  std::string removed;
  std::string added;
  for (const DifferenceLine& line : list.lines) {
    if (line.kind == DifferenceLine::Kind::unknown) return line.text;
    if (line.kind == DifferenceLine::Kind::removed && removed.empty()) removed = "- " + line.text;
    if (line.kind == DifferenceLine::Kind::added && added.empty()) added = "+ " + line.text;
    const bool is_between =
        line.kind == DifferenceLine::Kind::same || line.kind == DifferenceLine::Kind::gap;
    if (is_between && !(removed.empty() && added.empty())) break;
  }
  return removed + (removed.empty() || added.empty() ? "" : ", ") + added;
}

Difference difference_of(const Behaviour& one, const Behaviour& other) {
  Difference difference = find_difference(one, other);
  forget_unrecorded_calls(difference, one, other);
  return difference;
}

std::size_t size_of(const Difference& difference) {
  std::size_t size = difference.is_one_cut_off ? 1 : 0;
  for (const ListDifference& list : difference.lists)
    size +=
        static_cast<std::size_t>(std::ranges::count_if(list.lines, [](const DifferenceLine& line) {
          return line.kind != DifferenceLine::Kind::same && line.kind != DifferenceLine::Kind::gap;
        }));
  return size;
}

std::size_t ways_of(std::span<const MatrixRun> runs) {
  std::vector<const Behaviour*> ways;
  for (const MatrixRun& run : runs)
    if (std::ranges::none_of(ways, [&run](const Behaviour* way) {
          return difference_of(*way, *run.behaviour).is_none();
        }))
      ways.push_back(&*run.behaviour);
  return ways.size();
}

/// The cell of runs of which one did not pass, the failed ones first; otherwise nothing.
std::optional<MatrixCell> cell_without_comparison(std::span<const MatrixRun> runs) {
  const auto skipped = std::ranges::find(runs, capture::Outcome::skipped, &MatrixRun::outcome);
  const auto failed = std::ranges::find_if(runs, [](const MatrixRun& run) {
    return run.outcome != capture::Outcome::passed && run.outcome != capture::Outcome::skipped;
  });
  if (failed != runs.end())
    return MatrixCell{
        .kind = MatrixKind::failed, .reason = failed->reason, .directory = failed->directory};
  if (skipped == runs.end()) return std::nullopt;
  return MatrixCell{
      .kind = MatrixKind::skipped, .reason = skipped->reason, .directory = skipped->directory};
}

/// The cell of the pair of runs that differ least. All `runs` have passed.
MatrixCell nearest(std::span<const MatrixRun> runs, std::span<const MatrixRun> first) {
  std::optional<MatrixCell> best;
  for (const MatrixRun& run : runs) {
    for (const MatrixRun& other : first) {
      if (!other.behaviour) continue;
      Difference difference = difference_of(*other.behaviour, *run.behaviour);
      if (difference.is_none()) return {.directory = run.directory};
      if (best && size_of(best->difference) <= size_of(difference)) continue;
      best = {.kind = MatrixKind::differs,
              .difference = std::move(difference),
              .directory = run.directory};
    }
  }
  return best.value_or(MatrixCell{.directory = runs.front().directory});
}

std::string summary_of(const Difference& difference) {
  std::string text;
  const std::size_t size = difference.lists.size();
  const std::size_t shown = size > kMostLists + 1 ? kMostLists : size;  // one more fits, too
  for (const ListDifference& list : std::span(difference.lists).first(shown))
    text += (text.empty() ? "" : "; ") + list.title + ": " + first_change(list);
  if (size > shown) text += fmt::format("; and {} more lists", size - shown);
  if (difference.is_one_cut_off) text += (text.empty() ? "" : "; ") + std::string("it was cut off");
  return text;
}

}  // namespace

bool MatrixRow::is_same() const {
  return std::ranges::all_of(cells,
                             [](const MatrixCell& cell) { return cell.kind == MatrixKind::same; });
}

MatrixCell matrix_cell(std::span<const MatrixRun> runs, std::span<const MatrixRun> first) {
  if (runs.empty()) throw std::invalid_argument("a cell without runs");
  if (const auto cell = cell_without_comparison(runs)) return *cell;
  MatrixCell cell = nearest(runs, first);
  cell.runs = runs.size();
  cell.ways = ways_of(runs);
  return cell;
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
  if (cell.kind == MatrixKind::differs) return summary_of(cell.difference);
  if (cell.kind != MatrixKind::same || cell.ways < 2) return cell.reason;
  return fmt::format("{} runs in {} ways", cell.runs, cell.ways);
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
    else if (any(MatrixKind::skipped))
      ++skipped;
    else
      ++same;
  }
  const std::string times = matrix.repeat == 1 ? "" : fmt::format(", {} times each", matrix.repeat);
  return fmt::format("{} runs on {} kernels{}: {} alike, {} different, {} failed, {} skipped",
                     matrix.rows.size(), matrix.kernels.size(), times, same, differ, failed,
                     skipped);
}

std::vector<const MatrixRow*> rows_to_show(const Matrix& matrix, bool is_all) {
  std::vector<const MatrixRow*> rows;
  for (const MatrixRow& row : matrix.rows)
    if (is_all || !row.is_same()) rows.push_back(&row);
  return rows;
}

}  // namespace tcplab::reports
