// What a suite has come to: what its reports are made of, and what `tcplab merge` joins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/suite/run_result.hh"

namespace tcplab::reports {

/// The index-th of count parts of a suite, from 1.
struct Shard {
  int index = 1;
  int count = 1;
  bool operator==(const Shard&) const = default;
};

/// "2/4".
std::string text_of(const Shard& shard);

struct SuiteRecord {
  std::vector<RunResult> results{};  // of the runs that ended, in the order of the plans
  std::vector<RunResult> not_run{};  // `reason` says why; never started, or ended by us
  capture::nanoseconds wall{};
  std::optional<Shard> shard{};
  std::optional<std::uint64_t> seed{};  // of --shuffle
  std::size_t planned = 0;              // runs of the whole suite, all its shards
  std::string plan{};                   // the same text in each shard of one suite
};

/// The worst that happened, as tcplab's exit status: 3 a broken lab, 2 a bad script, 1 a failure,
/// 0 when any passed, 4 when nothing ran.
int exit_status(const SuiteRecord& suite);

/// The last line: "16 passed, 0 failed, 0 skipped, 3 not run in 8.1 s".
std::string summary_text(const SuiteRecord& suite);

}  // namespace tcplab::reports
