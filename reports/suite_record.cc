#include "reports/suite_record.hh"

#include <fmt/format.h>

namespace tcplab::reports {

std::string text_of(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

std::string summary_text(const SuiteRecord& suite) {
  Counts counts = count_outcomes(suite.results);
  counts.not_run = static_cast<int>(suite.not_run.size());
  return summary_text(counts, suite.wall);
}

}  // namespace tcplab::reports
