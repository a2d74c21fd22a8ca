// The results of a suite. Reports are made from it, and `tcplab merge` joins several.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/suite/run_result.hh"

namespace tcplab::reports {

/// Part `index` of `count` parts of a suite. The index counts from 1.
struct Shard {
  int index = 1;
  int count = 1;
  bool operator==(const Shard&) const = default;
};

/// Returns "2/4".
std::string text_of(const Shard& shard);

struct SuiteRecord {
  std::vector<RunResult> results{};  // finished runs, in the order of the plans
  std::vector<RunResult> not_run{};  // not started, or stopped by tcplab; `reason` says why
  capture::nanoseconds wall{};
  std::string started{};   // ISO 8601, in UTC: "2026-11-22T06:30:21Z"; empty if not known
  std::string hostname{};  // of the machine; of several, separated by commas
  std::optional<Shard> shard{};
  std::optional<std::uint64_t> seed{};          // of --shuffle
  std::optional<std::uint64_t> perturbation{};  // the seed of --perturb
  std::size_t planned = 0;                      // runs of the whole suite, in all shards
  std::string plan{};                           // a digest, equal in all shards of a suite
};

/// Returns tcplab's exit status, the first that applies: 3 a broken lab, 2 a bad script, 1 a
/// failure, 0 at least one passed, 4 nothing ran.
int exit_status(const SuiteRecord& suite);

/// Returns the last line of a report: "16 passed, 0 failed, 0 skipped, 3 not run in 8.1 s".
std::string summary_text(const SuiteRecord& suite);

}  // namespace tcplab::reports
