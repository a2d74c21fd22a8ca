// A suite cut into parts that are run apart, on one machine or on many, without anybody who hands
// them out: each part knows by itself which runs are its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/suite/suite_record.hh"
#include "scenarios/engine/suite/run_plan.hh"

namespace tcplab::engine {

/// "2/4". Throws base::UsageError.
reports::Shard parse_shard(std::string_view text);

/// The shard of each run, from 1, by a hash of its id: each run is in one shard, no shard has more
/// than an eighth over its share, and a run that is added or taken away moves few of the others
/// (consistent hashing with bounded loads, https://arxiv.org/abs/1608.01350).
std::vector<int> assign_shards(const std::vector<std::string>& ids, int count);

/// Those runs that are this shard's, in their order.
std::vector<RunPlan> runs_of(const reports::Shard& shard, const std::vector<RunPlan>& plans);

/// The same seed, the same order, with every compiler and library.
void shuffle(std::vector<RunPlan>& plans, std::uint64_t seed);

/// What the plans of two shards have in common if they are of one suite.
std::string digest(const std::vector<RunPlan>& plans);

}  // namespace tcplab::engine
