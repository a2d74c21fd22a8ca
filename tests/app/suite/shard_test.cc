#include "app/suite/shard.hh"

#include <algorithm>
#include <set>

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::app;

namespace {

/// Returns the ids of this many scenarios, each on both families.
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

TEST_CASE("the sizes of shards differ by at most one") {
  for (const int count : {1, 2, 3, 4, 7, 200, 300}) {
    const std::vector<int> shards = assign_shards(ids(100), count);
    for (int index = 1; index <= count; ++index) {
      const auto size = std::ranges::count(shards, index);
      CHECK((size == 200 / count || size == 200 / count + (200 % count == 0 ? 0 : 1)));
    }
  }
}

TEST_CASE("a run's shard does not depend on the order of the command line") {
  std::vector<std::string> forwards = ids(20);
  std::vector<std::string> backwards(forwards.rbegin(), forwards.rend());
  std::vector<int> shards = assign_shards(backwards, 3);
  std::ranges::reverse(shards);
  CHECK(shards == assign_shards(forwards, 3));
}

TEST_CASE("a shard is the same on every machine") {
  // If these values change, machines with different versions run some runs twice and others never.
  CHECK(assign_shards(ids(4), 3) == std::vector<int>{1, 2, 3, 1, 2, 3, 1, 2});
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
