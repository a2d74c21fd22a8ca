#include "scenarios/engine/lab/flood_meter.hh"

#include <chrono>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using engine::FloodGauge;

namespace {

/// Whether the wire is flooded after `count` frames that come `apart` from each other.
bool flooded_after(FloodGauge& gauge, base::Instant& at, int count, base::nanoseconds apart) {
  bool flooded = false;
  for (int i = 0; i < count; ++i) flooded = gauge.count(at += apart);
  return flooded;
}

}  // namespace

TEST_CASE("ordinary traffic is no flood") {
  FloodGauge gauge;
  base::Instant at = base::from_nanoseconds(1'000'000'000);
  CHECK_FALSE(flooded_after(gauge, at, 5000, 100us));  // 10,000 frames a second
}

TEST_CASE("a burst that is short is no flood; one that goes on is") {
  FloodGauge gauge;
  base::Instant at = base::from_nanoseconds(1'000'000'000);
  CHECK_FALSE(flooded_after(gauge, at, 190, 1us));
  CHECK(flooded_after(gauge, at, 20, 1us));
  CHECK(flooded_after(gauge, at, 100'000, 10us));
}

TEST_CASE("a flood ends when frames become few, and when they cease") {
  FloodGauge gauge;
  base::Instant at = base::from_nanoseconds(1'000'000'000);
  REQUIRE(flooded_after(gauge, at, 5000, 10us));
  CHECK(flooded_after(gauge, at, 200, 100us));  // thinner, but still a flood
  CHECK_FALSE(flooded_after(gauge, at, 100, 1ms));
  REQUIRE(flooded_after(gauge, at, 5000, 10us));
  CHECK_FALSE(gauge.count(at + 5s));
}
