#include "scenarios/engine/suite/shard.hh"

#include <algorithm>
#include <set>

#include "tests/catch.hh"
#include "tests/scenarios/workshop.hh"

using namespace tcplab;
using namespace tcplab::engine;

namespace {

/// As many scenarios as a catalogue has, each on both families.
std::vector<std::string> ids(int scenarios) {
  std::vector<std::string> all;
  for (int i = 0; i < scenarios; ++i)
    for (const char* family : {"IPv4", "IPv6"})
      all.push_back("topic/scenario-" + std::to_string(i) + " " + family + " 1");
  return all;
}

std::vector<RunPlan> plans(int scenarios) {
  std::vector<RunPlan> all;
  for (const std::string& id : ids(scenarios))
    all.push_back({.script = {}, .folder = {}, .id = id});
  return all;
}

std::vector<std::string> ids_of(const std::vector<RunPlan>& plans) {
  std::vector<std::string> all;
  for (const RunPlan& plan : plans) all.push_back(plan.id);
  return all;
}

/// How many of the first `common` runs are in another shard.
int moved(const std::vector<int>& before, const std::vector<int>& after) {
  int count = 0;
  for (std::size_t run = 0; run < std::min(before.size(), after.size()); ++run)
    if (before[run] != after[run]) ++count;
  return count;
}

}  // namespace

TEST_CASE("every run is in exactly one shard") {
  for (const int count : {1, 2, 3, 4, 7, 16, 300}) {
    std::multiset<std::string> seen;
    for (int index = 1; index <= count; ++index)
      for (const RunPlan& plan : runs_of({index, count}, plans(57))) seen.insert(plan.id);
    const std::vector<std::string> all = ids(57);
    CHECK(seen == std::multiset<std::string>(all.begin(), all.end()));
  }
}

TEST_CASE("a shard keeps the order of the runs") {
  const std::vector<std::string> all = ids(40);
  auto at = all.begin();
  for (const RunPlan& plan : runs_of({2, 3}, plans(40))) {
    at = std::find(at, all.end(), plan.id);
    REQUIRE(at != all.end());
  }
}

TEST_CASE("no shard is more than an eighth larger than its share") {
  for (const int count : {2, 3, 4, 8}) {
    const std::vector<int> shards = assign_shards(ids(100), count);
    for (int index = 1; index <= count; ++index)
      CHECK(std::ranges::count(shards, index) <= 200 * 9 / (8 * count) + 1);
  }
}

TEST_CASE("each of four shards of the puzzlers has runs") {
  const std::vector<int> shards = assign_shards(ids(8), 4);
  for (int index = 1; index <= 4; ++index) CHECK(std::ranges::count(shards, index) >= 1);
}

TEST_CASE("adding a scenario moves few of the other runs") {
  for (const int count : {2, 4, 8}) {
    for (int scenarios = 80; scenarios < 120; ++scenarios) {
      const auto before = assign_shards(ids(scenarios), count);
      const auto after = assign_shards(ids(scenarios + 1), count);
      CHECK(moved(before, after) <= count);  // of 160 and more; dealt in turn, it would be most
    }
  }
}

TEST_CASE("a shard is the same on every machine") {
  // Had these changed, machines with different versions would run some runs twice, some never.
  CHECK(assign_shards(ids(4), 3) == std::vector<int>{2, 3, 2, 3, 2, 3, 1, 1});
}

TEST_CASE("each seed gives its own order") {
  auto first = plans(20);
  auto again = plans(20);
  auto other = plans(20);
  shuffle(first, 7);
  shuffle(again, 7);
  shuffle(other, 8);
  CHECK(ids_of(first) == ids_of(again));
  CHECK(ids_of(first) != ids_of(other));
  CHECK(ids_of(first) != ids(20));
  auto sorted = ids_of(first);
  auto all = ids(20);
  std::ranges::sort(sorted);
  std::ranges::sort(all);
  CHECK(sorted == all);
}

TEST_CASE("a digest depends on the runs, not on their order") {
  auto shuffled = plans(20);
  shuffle(shuffled, 1);
  CHECK(digest(shuffled) == digest(plans(20)));
  CHECK(digest(plans(20)) != digest(plans(21)));
}

TEST_CASE("a shard is written K/N") {
  CHECK(parse_shard("2/4") == reports::Shard{2, 4});
  CHECK(parse_shard("1/1") == reports::Shard{1, 1});
  for (const char* wrong : {"", "/", "1", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/4x", "1/4/4",
                            " 1/4", "1/99999", "99999999999/99999999999"}) {
    const std::string said = tests::complaint([&] { parse_shard(wrong); });
    CHECK_THAT(said, Catch::Matchers::Contains("--shard takes K/N"));
  }
}
