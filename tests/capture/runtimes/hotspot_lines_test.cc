#include "capture/runtimes/hotspot_lines.hh"

#include <vector>

#include "capture/memory/process_memory.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

std::vector<std::byte> bytes_of(const std::vector<int>& values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::uint32_t number_in(HotspotPacking packing, const std::vector<int>& values) {
  const std::vector<std::byte> bytes = bytes_of(values);
  return HotspotNumbers(packing, bytes).number();
}

std::int32_t signed_number_in(const std::vector<int>& values) {
  const std::vector<std::byte> bytes = bytes_of(values);
  return HotspotNumbers(HotspotPacking::with_zeros, bytes).signed_number();
}

int line_in(const std::vector<int>& table, int bytecode) {
  return hotspot_line(HotspotPacking::with_zeros, bytes_of(table), bytecode);
}

}  // namespace

TEST_CASE("HotSpot's numbers end with a low byte") {
  const auto packing = HotspotPacking::with_zeros;
  CHECK(number_in(packing, {0}) == 0);
  CHECK(number_in(packing, {191}) == 191);
  CHECK(number_in(packing, {192, 0}) == 192);
  CHECK(number_in(packing, {193, 1}) == 193 + 64);
  CHECK(number_in(packing, {255, 191}) == 255 + 191 * 64);
  CHECK(number_in(packing, {192, 192, 0}) == 192 + 192 * 64);
}

TEST_CASE("HotSpot's numbers have at most five bytes") {
  // The largest: each digit is the largest that leaves enough for those below it.
  CHECK(number_in(HotspotPacking::with_zeros, {255, 252, 252, 252, 252}) == 0xffffffff);
}

TEST_CASE("no byte of a number of Java 20 is 0") {
  const auto packing = HotspotPacking::without_zeros;
  CHECK(number_in(packing, {1}) == 0);
  CHECK(number_in(packing, {191}) == 190);
  CHECK(number_in(packing, {192, 1}) == 191);
  CHECK(number_in(packing, {193, 2}) == 192 + 64);
}

TEST_CASE("the lowest bit of a number of HotSpot is its sign") {
  CHECK(signed_number_in({0}) == 0);
  CHECK(signed_number_in({1}) == -1);
  CHECK(signed_number_in({2}) == 1);
  CHECK(signed_number_in({7}) == -4);
}

TEST_CASE("a number of HotSpot without its end cannot be read") {
  CHECK_THROWS_AS(number_in(HotspotPacking::with_zeros, {}), UnreadableMemory);
  CHECK_THROWS_AS(number_in(HotspotPacking::with_zeros, {200}), UnreadableMemory);
}

TEST_CASE("a bytecode has the line of the last entry before it") {
  // javap -l: line 7: 0, line 9: 4, line 12: 9, each in one byte: bytecodes << 3 | lines.
  const std::vector<int> table{7, 4 << 3 | 2, 5 << 3 | 3, 0};
  CHECK(line_in(table, 0) == 7);
  CHECK(line_in(table, 3) == 7);
  CHECK(line_in(table, 4) == 9);
  CHECK(line_in(table, 8) == 9);
  CHECK(line_in(table, 9) == 12);
  CHECK(line_in(table, 5000) == 12);
}

TEST_CASE("entries that need more than a byte follow 255") {
  // line 100: 0 (200 is 100 with its sign), then back to line 98: 40 (javac: the head of a loop),
  // then line 99: 42.
  const std::vector<int> table{255, 0, 200, 0, 255, 80, 3, 2 << 3 | 1, 0};
  CHECK(line_in(table, 0) == 100);
  CHECK(line_in(table, 39) == 100);
  CHECK(line_in(table, 40) == 98);
  CHECK(line_in(table, 42) == 99);
}

TEST_CASE("a table of lines gives a bytecode before its first entry none") {
  CHECK(line_in({3 << 3 | 7, 0}, 2) == 0);
  CHECK(line_in({0}, 2) == 0);
}

TEST_CASE("the better entry wins where entries are not in the order of bytecodes") {
  // line 5: 8, line 6: 2.
  const std::vector<int> table{8 << 3 | 5, 255, 11, 2, 0};
  CHECK(line_in(table, 1) == 0);
  CHECK(line_in(table, 3) == 6);
  CHECK(line_in(table, 9) == 5);
}

TEST_CASE("a table of lines without an end, or with absurd ones, gives none") {
  CHECK_THROWS_AS(line_in({7, 4 << 3}, 9), UnreadableMemory);
  CHECK(line_in({255, 0, 255, 255, 255, 255, 255, 0}, 0) == 0);
}
