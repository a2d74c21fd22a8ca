// Divides a suite into shards, which run on one machine or on many. No scheduler is needed: each
// shard computes which runs belong to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/suite/suite_record.hh"
#include "scenarios/engine/suite/run_plan.hh"

namespace tcplab::engine {

/// Parses "2/4". Throws base::UsageError.
reports::Shard parse_shard(std::string_view text);

/// Returns the shard of each run, from 1 to `count`, by a hash of its id. No shard is more than an
/// eighth larger than its share. Adding or removing a run moves few of the others (consistent
/// hashing with bounded loads, https://arxiv.org/abs/1608.01350).
std::vector<int> assign_shards(const std::vector<std::string>& ids, int count);

/// Returns the runs of this shard, in their order.
std::vector<RunPlan> runs_of(const reports::Shard& shard, const std::vector<RunPlan>& plans);

/// Shuffles the plans. The same seed gives the same order with every compiler and library.
void shuffle(std::vector<RunPlan>& plans, std::uint64_t seed);

/// Returns a hash of the whole suite. The shards of one suite have the same digest.
std::string digest(const std::vector<RunPlan>& plans);

}  // namespace tcplab::engine
