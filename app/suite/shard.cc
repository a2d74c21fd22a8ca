#include "app/suite/shard.hh"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <numeric>
#include <random>

#include "base/error.hh"
#include "base/fnv_hash.hh"

namespace tcplab::app {

namespace {

constexpr int kMostShards = 10000;

int number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

}  // namespace

reports::Shard parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  const reports::Shard shard{
      .index = number(text.substr(0, slash)),
      .count = slash == std::string_view::npos ? 0 : number(text.substr(slash + 1))};
  if (shard.index < 1 || shard.count < shard.index || shard.count > kMostShards)
    throw base::UsageError(fmt::format(
        "--shard takes K/N, part K of N parts, such as 1/4 to 4/4; \"{}\" is not valid", text));
  return shard;
}

std::vector<int> assign_shards(const std::vector<std::string>& ids, int count) {
  std::vector<std::size_t> sorted(ids.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::sort(sorted, {}, [&](std::size_t run) { return ids[run]; });
  std::vector<int> shards(ids.size());
  for (std::size_t turn = 0; turn < sorted.size(); ++turn)
    shards[sorted[turn]] = static_cast<int>(turn % static_cast<std::size_t>(count)) + 1;
  return shards;
}

std::vector<RunPlan> runs_of(const reports::Shard& shard, const std::vector<RunPlan>& plans) {
  std::vector<std::string> ids;
  ids.reserve(plans.size());
  for (const RunPlan& plan : plans) ids.push_back(plan.id);
  const std::vector<int> shards = assign_shards(ids, shard.count);
  std::vector<RunPlan> chosen;
  for (std::size_t run = 0; run < plans.size(); ++run)
    if (shards[run] == shard.index) chosen.push_back(plans[run]);
  return chosen;
}

/// Fisher-Yates. Not std::shuffle, which differs between libraries.
void shuffle(std::vector<RunPlan>& plans, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t rest = plans.size(); rest > 1; --rest)
    std::swap(plans[rest - 1], plans[random() % rest]);
}

std::string digest(const std::vector<RunPlan>& plans) {
  std::uint64_t sum = 0;  // a sum does not depend on the order
  for (const RunPlan& plan : plans) sum += base::fnv_hash(plan.id + ", " + plan.variant);
  return fmt::format("{:016x}", sum);
}

}  // namespace tcplab::app
