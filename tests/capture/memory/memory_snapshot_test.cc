#include "capture/memory/memory_snapshot.hh"

#include <algorithm>

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

/// Each byte is the low byte of its address. From the given number of reads on, one is another.
class ChangingMemory final : public ProcessMemory {
public:
  explicit ChangingMemory(int changes_after = 1000) : reads_left_(changes_after) {}

  std::size_t read(Address from, std::span<std::byte> into) const override {
    const bool is_changed = reads_left_-- <= 0;
    for (std::byte& byte : into) {
      byte = static_cast<std::byte>(is_changed && from == kChanges ? 0xff : from & 0xff);
      ++from;
    }
    return into.size();
  }

  static constexpr Address kChanges = 0x1004;

private:
  mutable int reads_left_;
};

const std::vector<MemoryRange> kRanges{{0x1000, 0x1008}, {0x2000, 0x2004}};

}  // namespace

TEST_CASE("a snapshot keeps what was there") {
  const ChangingMemory memory(4);  // two copies of two ranges
  const MemorySnapshot snapshot(memory, kRanges);
  CHECK(snapshot.value<std::uint8_t>(ChangingMemory::kChanges) == 4);
  CHECK(memory.value<std::uint8_t>(ChangingMemory::kChanges) == 0xff);
  CHECK(snapshot.value<std::uint8_t>(0x2003) == 3);
  CHECK(snapshot.value<std::uint8_t>(0x3007) == 7);  // outside of the copies
}

TEST_CASE("a snapshot of memory that changes meanwhile is refused") {
  for (const int reads : {1, 2}) {
    CAPTURE(reads);
    const ChangingMemory memory(reads);
    CHECK_THROWS_AS(MemorySnapshot(memory, kRanges), UnreadableMemory);
  }
}

TEST_CASE("a value that is only partly in a snapshot is not read") {
  const ChangingMemory memory;
  const MemorySnapshot snapshot(memory, kRanges);
  CHECK(snapshot.value<std::uint32_t>(0x1004) == 0x07060504);
  CHECK_THROWS_AS(snapshot.value<std::uint32_t>(0x1005), UnreadableMemory);
}

TEST_CASE("a snapshot has a size that is plausible") {
  const ChangingMemory memory;
  CHECK_THROWS_AS(MemorySnapshot(memory, {{0x2000, 0x1000}}), UnreadableMemory);
  CHECK_THROWS_AS(MemorySnapshot(memory, {{0x1000, 0x10000000}}), UnreadableMemory);
}
