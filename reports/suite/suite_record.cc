#include "reports/suite/suite_record.hh"

#include <fmt/format.h>

namespace tcplab::reports {

std::string text_of(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

int exit_status(const SuiteRecord& suite) {
  const Counts counts = count_outcomes(suite.results);
  if (counts.broken > 0) return 3;
  if (counts.bad_script > 0) return 2;
  if (counts.failed > 0) return 1;
  return counts.passed > 0 ? 0 : 4;
}

std::string summary_text(const SuiteRecord& suite) {
  Counts counts = count_outcomes(suite.results);
  counts.not_run = static_cast<int>(suite.not_run.size());
  return summary_text(counts, suite.wall);
}

}  // namespace tcplab::reports
