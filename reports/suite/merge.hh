// Joins the results of shards into the results of the suite.
#pragma once

#include <string>
#include <vector>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

struct Part {
  std::string file;
  SuiteRecord record;
};

struct Merged {
  SuiteRecord record;          // sorted by name and variant; `wall` is the longest shard's
  std::vector<Shard> missing;  // shards that are in no part
};

/// Joins at least one part. Throws base::UsageError, with the names of the files, if they are from
/// different suites, contain a shard or a run twice, or lack runs.
Merged merge(const std::vector<Part>& parts);

}  // namespace tcplab::reports
