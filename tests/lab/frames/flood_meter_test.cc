#include "lab/frames/flood_meter.hh"

#include <chrono>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using lab::FloodGauge;

namespace {

/// Returns whether the wire counts as flooded after `count` frames, sent `apart` from each other.
bool flooded_after(FloodGauge& gauge, base::Instant& at, int count, base::nanoseconds apart) {
  bool flooded = false;
  for (int i = 0; i < count; ++i) flooded = gauge.count(at += apart);
  return flooded;
}

}  // namespace

TEST_CASE("10,000 frames a second are not a flood") {
  FloodGauge gauge;
  base::Instant at = base::from_nanoseconds(1'000'000'000);
  CHECK_FALSE(flooded_after(gauge, at, 5000, 100us));  // 10,000 frames a second
}

TEST_CASE("a short burst is not a flood, but a longer one is") {
  FloodGauge gauge;
  base::Instant at = base::from_nanoseconds(1'000'000'000);
  CHECK_FALSE(flooded_after(gauge, at, 190, 1us));
  CHECK(flooded_after(gauge, at, 20, 1us));
  CHECK(flooded_after(gauge, at, 100'000, 10us));
}

TEST_CASE("a flood ends when frames become rare or stop") {
  FloodGauge gauge;
  base::Instant at = base::from_nanoseconds(1'000'000'000);
  REQUIRE(flooded_after(gauge, at, 5000, 10us));
  CHECK(flooded_after(gauge, at, 200, 100us));  // slower, but still a flood
  CHECK_FALSE(flooded_after(gauge, at, 100, 1ms));
  REQUIRE(flooded_after(gauge, at, 5000, 10us));
  CHECK_FALSE(gauge.count(at + 5s));
}

TEST_CASE("a frame of 45 segments counts as 45") {
  FloodGauge gauge;
  const base::Instant at = base::from_nanoseconds(1'000'000'000);
  for (int i = 0; i < 4; ++i) CHECK_FALSE(gauge.count(at, 45));
  CHECK(gauge.count(at, 45));
}
