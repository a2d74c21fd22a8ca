// Which goroutines wait for which descriptor.
#include "capture/runtimes/go_goroutines.hh"

#include "tests/capture/memory/written_memory.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::Address;
using capture::Goroutines;
using capture::ParkedGoroutine;

namespace {

constexpr Address kGoList = 0x20000;
constexpr Address kGoLength = 0x20100;
constexpr Address kGoArray = 0x20200;
constexpr Address kGoReasons = 0x20300;
constexpr Address kGoroutine = 0x30000;
constexpr Address kGoOther = 0x31000;
constexpr Address kGoStack = 0x40000;
constexpr Address kGoPoll = 0x50000;
constexpr Address kGoStackSize = 0x800;
constexpr std::uint32_t kGoWaits = 4;

/// A goroutine that waits to read from descriptor 7.
class GoProcess {
public:
  GoProcess() {
    memory.put(kGoList, kGoArray);
    memory.put(kGoLength, std::uint64_t{1});
    memory.put(kGoArray, kGoroutine);
    memory.put(kGoReasons,
               std::array<std::uint64_t, 4>{kGoReasons + 0x100, 7, kGoReasons + 0x110, 6});
    memory.put_text(kGoReasons + 0x100, "IO wait");
    memory.put_text(kGoReasons + 0x110, "select");
    for (Address at = 0; at < kGoStackSize; at += 8) memory.put(kGoStack + at, Address{0});
    for (Address at = 0; at < 300; at += 4) memory.put(kGoroutine + at, 0U);
    for (Address at = 0; at < 300; at += 4) memory.put(kGoPoll + at, 0U);
    memory.put(kGoroutine + layout.stack_low, kGoStack);
    memory.put(kGoroutine + layout.stack_high, kGoStack + kGoStackSize);
    memory.put(kGoroutine + layout.stack_pointer, kGoStack + 0x600);
    memory.put(kGoroutine + layout.program_counter, Address{0x1234});
    memory.put(kGoroutine + layout.status, kGoWaits);
    memory.put(kGoroutine + layout.number, std::uint64_t{19});
    memory.put(kGoPoll + layout.self, kGoPoll);
    memory.put(kGoPoll + layout.descriptor, std::uint64_t{7});
    memory.put(kGoPoll + layout.reader, kGoroutine);
    memory.put(kGoStack + 0x640, kGoPoll);
  }

  std::vector<ParkedGoroutine> parked() const { return goroutines().parked(); }

  Goroutines goroutines() const {
    return {memory,
            layout,
            {{"runtime.allgptr", kGoList},
             {"runtime.allglen", kGoLength},
             {"runtime.waitReasonStrings", kGoReasons}}};
  }

  capture::GoLayout layout = capture::go_layout_of("1.19.8").value();
  tests::WrittenMemory memory;
};

}  // namespace

TEST_CASE("a parked goroutine waits for the descriptor that has it as reader or writer") {
  GoProcess process;
  auto parked = process.parked();
  REQUIRE(parked.size() == 1);
  CHECK(parked[0].number == 19);
  CHECK(parked[0].reason == "IO wait");
  CHECK(parked[0].descriptor == 7);
  CHECK_FALSE(parked[0].writes);
  CHECK(parked[0].deadline == 0);
  process.memory.put(kGoPoll + process.layout.reader, kGoOther);
  process.memory.put(kGoPoll + process.layout.writer, kGoroutine);
  process.memory.put(kGoPoll + process.layout.read_deadline, std::int64_t{5});
  process.memory.put(kGoPoll + process.layout.write_deadline, std::int64_t{9});
  parked = process.parked();
  CHECK(parked[0].descriptor == 7);
  CHECK(parked[0].writes);
  CHECK(parked[0].deadline == 9);
}

TEST_CASE("a pointer to the member with the goroutine leads to the descriptor, too") {
  GoProcess process;
  process.memory.put(kGoStack + 0x640, kGoPoll + process.layout.reader);
  CHECK(process.parked().at(0).descriptor == 7);
}

TEST_CASE("a descriptor is not named if another goroutine waits for it") {
  GoProcess process;
  process.memory.put(kGoPoll + process.layout.reader, kGoOther);
  CHECK(process.parked().at(0).descriptor == -1);
  process.memory.put(kGoPoll + process.layout.reader, Address{1});  // pdReady
  CHECK(process.parked().at(0).descriptor == -1);
}

TEST_CASE("memory that is no pollDesc, or a copy of one, names no descriptor") {
  GoProcess process;
  process.memory.put(kGoPoll + process.layout.self, kGoPoll + 8);
  CHECK(process.parked().at(0).descriptor == -1);
  process.memory.put(kGoPoll + process.layout.self, kGoPoll);
  process.memory.put(kGoPoll + process.layout.descriptor, ~std::uint64_t{0});
  CHECK(process.parked().at(0).descriptor == -1);
}

TEST_CASE("a pointer far from the innermost frames is of another function") {
  GoProcess process;
  process.memory.put(kGoStack + 0x640, Address{0});
  process.memory.put(kGoStack + 0x600 - 8, kGoPoll);  // left by a call that has returned
  CHECK(process.parked().at(0).descriptor == -1);
}

TEST_CASE("goroutines that run, that are dead, or that wait for others are left out") {
  GoProcess process;
  for (const std::uint32_t status : {1U, 2U, 3U, 6U, 0x1002U}) {
    process.memory.put(kGoroutine + process.layout.status, status);
    CHECK(process.parked().empty());
  }
  process.memory.put(kGoroutine + process.layout.status, 0x1000U | kGoWaits);
  CHECK(process.parked().size() == 1);  // the garbage collector reads its stack meanwhile
  process.memory.put(kGoroutine + process.layout.wait_reason, std::uint8_t{1});
  CHECK(process.parked().empty());
}

TEST_CASE("a goroutine that went on is no longer parked in the same place") {
  GoProcess process;
  const ParkedGoroutine before = process.parked().at(0);
  CHECK(process.goroutines().is_still_parked(before));
  process.memory.put(kGoroutine + process.layout.program_counter, Address{0x1235});
  CHECK_FALSE(process.goroutines().is_still_parked(before));
  process.memory.put(kGoroutine + process.layout.status, 2U);
  CHECK_FALSE(process.goroutines().is_still_parked(before));
}

TEST_CASE("garbage in place of goroutines is an exception") {
  GoProcess process;
  process.memory.put(kGoroutine + process.layout.stack_pointer, kGoStack - 8);
  CHECK_THROWS_AS(process.parked(), capture::UnreadableMemory);
  process.memory.put(kGoLength, ~std::uint64_t{0});
  CHECK_THROWS_AS(process.parked(), capture::UnreadableMemory);
  process.memory.put(kGoLength, std::uint64_t{0});
  CHECK(process.parked().empty());
}

TEST_CASE("only versions whose layout was checked have one without debug information") {
  CHECK(capture::go_layout_of("1.19.8"));
  CHECK(capture::go_layout_of("1.19"));
  CHECK_FALSE(capture::go_layout_of("1.190.1"));
  CHECK_FALSE(capture::go_layout_of("1.20"));
  CHECK_FALSE(capture::go_layout_of(""));
  CHECK_FALSE(capture::go_layout_in("/proc/self/status"));
}
