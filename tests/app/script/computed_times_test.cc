#include "app/script/computed_times.hh"

#include "tests/catch.hh"

using namespace std::chrono_literals;
using namespace tcplab;

TEST_CASE("a computed time is found by its number of seconds") {
  app::ComputedTimes times;
  times.add({.on_time = 3712ms, .if_late = 1856ms, .probe = 208ms});
  for (const auto number : {3712ms + 0ns, 3712ms + 1ns, 3712ms - 1ns}) {  // a script rounds it
    const auto found = times.find(number);
    REQUIRE(found);
    CHECK(found->if_late == 1856ms);
    CHECK(found->probe == 208ms);
  }
}

TEST_CASE("only a computed time is found") {
  app::ComputedTimes times;
  CHECK_FALSE(times.find(2s));
  times.add({.on_time = 3712ms, .if_late = 1856ms});
  CHECK_FALSE(times.find(2s));
  CHECK_FALSE(times.find(3713ms));
}
