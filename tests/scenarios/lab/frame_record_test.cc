#include "scenarios/engine/lab/frame_record.hh"

#include <algorithm>

#include "tests/catch.hh"
#include "tests/scenarios/samples.hh"

using namespace tcplab;
using engine::FrameMemory;

namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

}  // namespace

TEST_CASE("a frame is found by its number") {
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

TEST_CASE("the memory of frames is bounded, and forgets the oldest") {
  FrameMemory memory;
  const tests::Bytes large(kMebibyte, 0x55);
  for (std::uint64_t number = 1; number <= 64; ++number) memory.keep(number, large);
  CHECK(memory.find(1).empty());
  CHECK(memory.find(48).empty());
  CHECK(memory.find(49).size() == large.size());
  CHECK(memory.find(64).size() == large.size());
}
