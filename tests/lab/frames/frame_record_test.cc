#include "lab/frames/frame_record.hh"

#include "tests/catch.hh"
#include "tests/samples.hh"

using namespace tcplab;
using lab::FrameMemory;

namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

}  // namespace

TEST_CASE("a frame is found by its number") {
  FrameMemory memory;
  const auto syn = tests::segment(tests::kSyn);
  const auto reset = tests::segment(tests::kRst);
  memory.keep(3, syn, {});
  memory.keep(7, reset, {});
  CHECK(memory.find(3)->bytes == syn);
  CHECK(memory.find(7)->bytes == reset);
  CHECK(memory.find(5) == nullptr);
  CHECK(memory.find(0) == nullptr);
  CHECK(memory.find(8) == nullptr);
}

TEST_CASE("the memory of frames is bounded, and forgets the oldest") {
  FrameMemory memory;
  const tests::Bytes large(kMebibyte, 0x55);
  for (std::uint64_t number = 1; number <= 64; ++number) memory.keep(number, large, {});
  CHECK(memory.find(1) == nullptr);
  CHECK(memory.find(48) == nullptr);
  CHECK(memory.find(49)->bytes.size() == large.size());
  CHECK(memory.find(64)->bytes.size() == large.size());
}
