#include "scenarios/engine/lab/wire_watch.hh"

#include <chrono>

#include "tests/catch.hh"
#include "tests/scenarios/samples.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using engine::FloodGauge;
using engine::FrameMemory;

namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

/// Whether the wire is flooded after `count` frames that come `apart` from each other.
bool flooded_after(FloodGauge& gauge, base::Instant& at, int count, base::nanoseconds apart) {
  bool flooded = false;
  for (int i = 0; i < count; ++i) flooded = gauge.count(at += apart);
  return flooded;
}

}  // namespace

TEST_CASE("a frame is remembered by its number") {
  FrameMemory memory;
  const auto syn = tests::segment(tests::kSyn);
  const auto reset = tests::segment(tests::kRst);
  memory.keep(3, syn);
  memory.keep(7, reset);
  CHECK(std::ranges::equal(memory.find(3), syn));
  CHECK(std::ranges::equal(memory.find(7), reset));
  CHECK(memory.find(5).empty());
  CHECK(memory.find(0).empty());
  CHECK(memory.find(8).empty());
}

TEST_CASE("a memory of frames forgets the oldest, and does not grow without end") {
  FrameMemory memory;
  const tests::Bytes large(kMebibyte, 0x55);
  for (std::uint64_t number = 1; number <= 64; ++number) memory.keep(number, large);
  CHECK(memory.find(1).empty());
  CHECK(memory.find(48).empty());
  CHECK(memory.find(49).size() == large.size());
  CHECK(memory.find(64).size() == large.size());
}

TEST_CASE("talk is no flood") {
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
  CHECK(flooded_after(gauge, at, 200, 100us));  // thinner, but still more than talk
  CHECK_FALSE(flooded_after(gauge, at, 100, 1ms));
  REQUIRE(flooded_after(gauge, at, 5000, 10us));
  CHECK_FALSE(gauge.count(at + 5s));
}
