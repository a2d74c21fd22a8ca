#include "reports/suite/run_result.hh"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tcplab::reports {

using capture::Outcome;

bool is_trouble(const RunResult& result) {
  return result.outcome != Outcome::passed && result.outcome != Outcome::skipped;
}

std::string unchecked_summary(const RunResult& result) {
  if (result.unchecked.empty()) return "";
  std::vector<std::string> versions;
  for (const capture::Unchecked& each : result.unchecked)
    if (std::ranges::find(versions, each.since) == versions.end()) versions.push_back(each.since);
  const bool is_one = result.unchecked.size() == 1;
  return fmt::format(
      "{} not checked: {} since Linux {}",
      is_one ? "1 expectation" : fmt::format("{} expectations", result.unchecked.size()),
      is_one ? "it holds" : "they hold", fmt::join(versions, " or "));
}

SourceLine place_of(const RunResult& result) {
  for (const capture::Verdict& verdict : result.verdicts)
    if (!verdict.passed) return {verdict.script, verdict.line};
  SourceLine place{result.file, 0};
  if (!result.file.empty() && result.reason.starts_with(result.file + ":"))
    for (std::size_t at = result.file.size() + 1;
         at < result.reason.size() &&
         std::isdigit(static_cast<unsigned char>(result.reason[at])) != 0 && place.line < 1'000'000;
         ++at)
      place.line = place.line * 10 + (result.reason[at] - '0');
  return place;
}

void Counts::count(const RunResult& result) {
  switch (result.outcome) {
    case Outcome::passed:
      ++passed;
      break;
    case Outcome::failed:
      ++failed;
      break;
    case Outcome::skipped:
      ++skipped;
      break;
    case Outcome::bad_script:
      ++bad_script;
      break;
    case Outcome::broken:
      ++broken;
      break;
  }
}

Counts count_outcomes(std::span<const RunResult> results) {
  Counts counts;
  for (const RunResult& result : results) counts.count(result);
  return counts;
}

std::string summary_text(const Counts& counts, capture::nanoseconds wall) {
  std::string text =
      fmt::format("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
  if (counts.bad_script != 0)
    text += fmt::format(", {} bad script{}", counts.bad_script, counts.bad_script == 1 ? "" : "s");
  if (counts.broken != 0) text += fmt::format(", {} broken", counts.broken);
  if (counts.not_run != 0) text += fmt::format(", {} not run", counts.not_run);
  return text + " in " + base::describe(wall);
}

}  // namespace tcplab::reports
