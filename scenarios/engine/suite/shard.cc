#include "scenarios/engine/suite/shard.hh"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <numeric>
#include <random>

#include "base/error.hh"

namespace tcplab::engine {

namespace {

constexpr int kMostShards = 10000;

/// The last step of SplitMix64 (https://prng.di.unimi.it/splitmix64.c). It spreads the hashes of
/// similar texts.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// FNV-1a. Not std::hash, which differs between libraries: shards must be the same on all machines.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100000001b3;
  return mix(hash);
}

/// The score of a shard for a run. A run goes to the shard with the highest score that has room.
std::uint64_t score(std::uint64_t run, int shard) {
  return mix(run ^ mix(static_cast<std::uint64_t>(shard) * 0x9e3779b97f4a7c15));
}

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
  std::vector<std::uint64_t> hashes;
  hashes.reserve(ids.size());
  for (const std::string& id : ids) hashes.push_back(hash_of(id));
  std::vector<std::size_t> turns(ids.size());
  std::iota(turns.begin(), turns.end(), std::size_t{0});
  std::ranges::sort(turns, {}, [&](std::size_t run) { return std::pair(hashes[run], ids[run]); });

  const auto parts = static_cast<std::size_t>(count);
  const std::size_t room = (9 * ids.size() + 8 * parts - 1) / (8 * parts);
  std::vector<std::size_t> taken(parts + 1);
  std::vector<int> shards(ids.size());
  for (const std::size_t run : turns) {
    std::uint64_t best = 0;
    for (int shard = 1; shard <= count; ++shard) {
      if (taken[static_cast<std::size_t>(shard)] == room) continue;
      const std::uint64_t own = score(hashes[run], shard);
      if (shards[run] != 0 && own <= best) continue;
      shards[run] = shard;
      best = own;
    }
    ++taken[static_cast<std::size_t>(shards[run])];
  }
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
  for (const RunPlan& plan : plans) sum += hash_of(plan.id + ", " + plan.variant);
  return fmt::format("{:016x}", sum);
}

}  // namespace tcplab::engine
