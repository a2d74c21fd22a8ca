#include "reports/run_result.hh"

#include <fmt/format.h>

#include "capture/event_words.hh"

namespace tcplab::reports {

using capture::Outcome;

bool is_trouble(const RunResult& result) {
  return result.outcome == Outcome::failed || result.outcome == Outcome::broken;
}

std::string_view outcome_name(const RunResult& result) {
  return result.bad_script ? "bad_script" : capture::word(result.outcome);
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
    case Outcome::broken:
      ++(result.bad_script ? bad_script : broken);
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
  if (counts.bad_script != 0) text += fmt::format(", {} wrong", counts.bad_script);
  if (counts.broken != 0) text += fmt::format(", {} broken", counts.broken);
  if (counts.not_run != 0) text += fmt::format(", {} not run", counts.not_run);
  return text + " in " + base::describe(wall);
}

}  // namespace tcplab::reports
