// Cuts a suite into parts (shards) that run apart, on one machine or on many. Each part computes
// which runs it has; nothing coordinates them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/suite/run_plan.hh"
#include "reports/suite/suite_record.hh"

namespace tcplab::app {

/// Parses "2/4". Throws base::UsageError.
reports::Shard parse_shard(std::string_view text);

/// Returns the shard of each run, from 1. The runs are dealt in the order of their ids, so that the
/// sizes of two shards differ by at most 1, and every machine with the same scenarios agrees.
std::vector<int> assign_shards(const std::vector<std::string>& ids, int count);

/// Returns the runs of this shard, in their order.
std::vector<RunPlan> runs_of(const reports::Shard& shard, const std::vector<RunPlan>& plans);

/// Shuffles. The same seed gives the same order with every compiler and library.
void shuffle(std::vector<RunPlan>& plans, std::uint64_t seed);

/// Returns a digest that is the same for all shards of a suite.
std::string digest(const std::vector<RunPlan>& plans);

}  // namespace tcplab::app
