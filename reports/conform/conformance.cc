#include "reports/conform/conformance.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace tcplab::reports {

namespace {

struct ConformWords {
  Conformity verdict;
  std::string_view word;
  std::string_view mark;
};

constexpr std::array<ConformWords, 4> kWords = {
    {{Conformity::met, "met", "✓"},
     {Conformity::not_met, "not met", "✗"},
     {Conformity::does_not_arise, "does not arise", "–"},
     {Conformity::not_seen, "not seen", "?"}}};

const ConformWords& words_of(Conformity verdict) {
  return *std::ranges::find(kWords, verdict, &ConformWords::verdict);
}

}  // namespace

std::string text_of(const ConformRun& run) {
  return std::string(word(run.verdict)) + (run.reason.empty() ? "" : ": " + run.reason);
}

std::string_view word(Conformity verdict) { return words_of(verdict).word; }

std::optional<Conformity> conformity(std::string_view word) {
  for (const ConformWords& words : kWords)
    if (words.word == word) return words.verdict;
  return std::nullopt;
}

std::string_view mark_of(Conformity verdict) { return words_of(verdict).mark; }

ConformRun conform_run(const RunResult& result, const std::string& family) {
  ConformRun run{.family = family, .reason = result.reason, .directory = result.directory};
  const auto judges = [](const capture::Verdict& verdict) { return verdict.judges_requirement; };
  const auto failed = [](const capture::Verdict& verdict) {
    return verdict.judges_requirement && !verdict.passed;
  };
  if (const auto found = std::ranges::find_if(result.verdicts, failed);
      found != result.verdicts.end() && result.outcome == capture::Outcome::failed) {
    run.verdict = Conformity::not_met;
    run.reason = found->seen.empty() ? found->expected : found->expected + "; " + found->seen;
  } else if (result.outcome == capture::Outcome::skipped && result.requirement_does_not_arise) {
    run.verdict = Conformity::does_not_arise;
  } else if (result.outcome == capture::Outcome::passed) {
    const bool has_judged = std::ranges::any_of(result.verdicts, judges);
    run.verdict = has_judged ? Conformity::met : Conformity::not_seen;
    if (!has_judged) run.reason = "its script ended without lab:require";
  }
  return run;
}

Conformity ConformCell::verdict() const {
  for (const Conformity verdict : {Conformity::not_met, Conformity::not_seen, Conformity::met})
    if (std::ranges::find(runs, verdict, &ConformRun::verdict) != runs.end()) return verdict;
  return runs.empty() ? Conformity::not_seen : Conformity::does_not_arise;
}

std::string ConformCell::text() const {
  if (runs.empty()) return "not seen: it has not run";
  const bool is_same = std::ranges::all_of(
      runs, [&](const ConformRun& run) { return run.verdict == runs.front().verdict; });
  if (is_same) return text_of(runs.front());
  std::string text;
  for (const ConformRun& run : runs)
    text += (text.empty() ? "" : "; ") + run.family + " " + text_of(run);
  return text;
}

bool ConformRow::differs() const {
  return std::ranges::any_of(
      cells, [&](const ConformCell& cell) { return cell.verdict() != cells.front().verdict(); });
}

bool ConformRow::is_worse() const {
  if (cells.size() < 2 || cells[1].verdict() != Conformity::met) return false;
  const Conformity now = cells[0].verdict();
  return now == Conformity::not_met || now == Conformity::does_not_arise;
}

ConformCounts counts_of(const Conformance& table, std::size_t column) {
  ConformCounts counts;
  for (const ConformRow& row : table.rows) {
    switch (row.cells.at(column).verdict()) {
      case Conformity::met:
        ++counts.met;
        break;
      case Conformity::not_met:
        ++counts.not_met;
        if (row.requirement.level == RequirementLevel::must) ++counts.must_not_met;
        break;
      case Conformity::does_not_arise:
        ++counts.does_not_arise;
        break;
      case Conformity::not_seen:
        ++counts.not_seen;
        break;
    }
  }
  return counts;
}

std::string conform_totals(const Conformance& table, std::size_t column) {
  const ConformCounts counts = counts_of(table, column);
  const std::string must =
      counts.not_met == 0 ? "" : fmt::format(" ({} of them MUST)", counts.must_not_met);
  return fmt::format("{}: {} met, {} not met{}, {} does not arise, {} not seen",
                     table.stacks.at(column), counts.met, counts.not_met, must,
                     counts.does_not_arise, counts.not_seen);
}

std::string difference_totals(const Conformance& table) {
  if (table.stacks.size() < 2) return "";
  const auto differ = std::ranges::count_if(table.rows, &ConformRow::differs);
  const auto worse = std::ranges::count_if(table.rows, &ConformRow::is_worse);
  return fmt::format("{} {}; of these requirements, {} meets {} that {} does not meet", differ,
                     differ == 1 ? "verdict differs" : "verdicts differ", table.stacks[1], worse,
                     table.stacks[0]);
}

}  // namespace tcplab::reports
