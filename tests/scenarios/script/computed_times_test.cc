#include "scenarios/engine/script/computed_times.hh"

#include "tests/catch.hh"

using namespace std::chrono_literals;
using namespace tcplab;

TEST_CASE("a computed time is found by its number of seconds") {
  engine::ComputedTimes times;
  times.add(3712ms, 1856ms);
  CHECK(times.if_late(3712ms) == 1856ms);
  CHECK(times.if_late(3712ms + 1ns) == 1856ms);  // a script's number is rounded
  CHECK(times.if_late(3712ms - 1ns) == 1856ms);
}

TEST_CASE("only a computed time that depends on late timers is found") {
  engine::ComputedTimes times;
  CHECK_FALSE(times.if_late(2s));
  times.add(2s, 2s);
  times.add(3712ms, 1856ms);
  CHECK_FALSE(times.if_late(2s));
  CHECK_FALSE(times.if_late(3713ms));
}
