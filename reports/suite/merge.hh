// Joins the results of a suite's shards, wherever they ran, into those of the suite.
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
  SuiteRecord record;          // by name and variant; as long as the longest shard took
  std::vector<Shard> missing;  // that no part has
};

/// At least one part. Throws base::UsageError, naming the files, where they are not of one suite,
/// or have a shard or a run twice, or not all the runs.
Merged merge(const std::vector<Part>& parts);

}  // namespace tcplab::reports
