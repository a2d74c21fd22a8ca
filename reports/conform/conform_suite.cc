#include <algorithm>

#include "reports/conform/conform_views.hh"

namespace tcplab::reports {

namespace {

/// What a run becomes for a CI job. A run that broke, or whose script is bad, stays what it is.
void retell(RunResult& result, const ConformRow& row, const ConformRun& run) {
  result.name = row.requirement.id;
  const std::string level(name(row.requirement.level));
  if (run.verdict == Conformity::not_met && row.requirement.level == RequirementLevel::must) return;
  if (run.verdict == Conformity::not_met) {
    result.outcome = capture::Outcome::skipped;
    result.reason = level + ", not met: " + run.reason;
  } else if (run.verdict == Conformity::does_not_arise) {
    result.reason = "does not arise: " + run.reason;
  } else if (run.verdict == Conformity::not_seen && result.outcome != capture::Outcome::skipped) {
    result.outcome = capture::Outcome::broken;
    result.reason = "not seen: " + run.reason;
  }
}

}  // namespace

SuiteRecord conform_suite(const Conformance& table, SuiteRecord runs) {
  for (RunResult& result : runs.results)
    for (const ConformRow& row : table.rows)
      for (const ConformRun& run : row.cells.front().runs)
        if (run.directory == result.directory) retell(result, row, run);
  return runs;
}

}  // namespace tcplab::reports
