#include "capture/runtimes/v8_lines.hh"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

std::vector<std::byte> table_of(std::initializer_list<int> numbers) {
  std::vector<std::byte> table;
  for (const int number : numbers) table.push_back(static_cast<std::byte>(number));
  return table;
}

// What Node 20 has for this function (node --print-bytecode), at offset 64 of its bytecodes
//     181 S> 61 f9 10  CallUndefinedReceiver0 r1, [16]
// which is the third line from the end of: ... 163 E> @ 59, 181 S> @ 64, 188 S> @ 68.
const std::vector<std::byte> kTable =
    table_of({1,  4,  3, 0,   26, 44, 7,  0,  9,  0,  4, 80, 7,  0, 10, 60,
              17, 64, 8, 216, 2,  9,  32, 11, 28, 17, 0, 10, 72, 8, 28});

}  // namespace

TEST_CASE("a bytecode has the position of the last entry up to it") {
  CHECK(v8_position(kTable, 0) == 0);
  CHECK(v8_position(kTable, 13) == 11);
  CHECK(v8_position(kTable, 63) == 163);
  CHECK(v8_position(kTable, 64) == 181);
  CHECK(v8_position(kTable, 67) == 181);
  CHECK(v8_position(kTable, 68) == 188);
}

TEST_CASE("without a table, and before its first entry, there is no position") {
  CHECK_FALSE(v8_position({}, 64));
  CHECK_FALSE(v8_position(table_of({8, 4}), 2));
  CHECK(v8_position(table_of({8, 4}), 3) == 0);
}

TEST_CASE("a table that is cut short gives no position behind the cut") {
  const std::span<const std::byte> table(kTable);
  CHECK(v8_position(table.first(table.size() - 4), 64) == 163);
  CHECK_FALSE(v8_position(table.first(table.size() - 1), 68));
  CHECK_FALSE(v8_position(table.first(20), 68));  // in the middle of a number
  const std::vector<std::byte> endless(20, std::byte{0xff});
  CHECK_FALSE(v8_position(endless, 0));
}

TEST_CASE("numbers of garbage do no harm") {
  std::vector<std::byte> largest(9, std::byte{0xff});
  largest.front() = std::byte{0xfe};
  largest.push_back(std::byte{1});   // 2^63 - 1
  std::vector<std::byte> positions;  // of bytecode 0
  std::vector<std::byte> bytecodes;
  for (int i = 0; i < 3; ++i) {
    positions.push_back(std::byte{i == 0 ? std::uint8_t{2} : std::uint8_t{0}});
    positions.insert(positions.end(), largest.begin(), largest.end());
    bytecodes.insert(bytecodes.end(), largest.begin(), largest.end());
    bytecodes.push_back(std::byte{4});
  }
  CHECK_NOTHROW(v8_position(positions, 0));
  CHECK_FALSE(v8_position(bytecodes, 0));
}

TEST_CASE("a place outside of JavaScript is no position") {
  CHECK_FALSE(v8_position(table_of({2, 6}), 0));  // raw value 3: bit 0 is set
}

TEST_CASE("lines end as in ECMAScript") {
  const std::u16string_view source = u"a\nb\r\nc\rd\u2028e\u2029f";
  CHECK(v8_line(source, 0) == 1);
  CHECK(v8_line(source, 1) == 1);
  CHECK(v8_line(source, 2) == 2);
  CHECK(v8_line(source, source.find(u'c')) == 3);
  CHECK(v8_line(source, source.find(u'd')) == 4);
  CHECK(v8_line(source, source.find(u'e')) == 5);
  CHECK(v8_line(source, source.find(u'f')) == 6);
  CHECK(v8_line(source, 1000) == 6);
}
