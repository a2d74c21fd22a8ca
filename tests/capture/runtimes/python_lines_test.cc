#include "capture/runtimes/python_lines.hh"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tcplab::capture {

namespace {

// The tables that CPython 3.9, 3.10 and 3.12 make of one function:
//
//   1 def f(a):
//   2     x = a
//   3     if x:
//   4         y = [
//   5             a,
//   6             x,
//   7         ]
//   8
//   9     for i in a: pass
//  10     return (a +
//  11       x)
constexpr std::string_view kLnotab = "000104010402020102fe04050a01020102ff";
constexpr std::string_view kLinePairs = "040104010202020104fe0a050201020104ff";
constexpr std::string_view kLocations =
    "8000d808098041d90708e00c0dd80c0df005030d0a8801f00a000e0fd204148901d00414d80c0dd80607f103010d08"
    "f000010509";

std::vector<std::byte> bytes_of_digits(std::string_view digits) {
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    bytes.push_back(std::byte(std::stoi(std::string(digits.substr(at, 2)), nullptr, 16)));
  return bytes;
}

int line_at(PythonLines kind, std::string_view table, std::uint64_t offset) {
  return python_line(kind, bytes_of_digits(table), offset, 1);
}

}  // namespace

TEST_CASE("a line of Python 3.9 is the last one that began before") {
  CHECK(line_at(PythonLines::lnotab, kLnotab, 0) == 2);
  CHECK(line_at(PythonLines::lnotab, kLnotab, 8) == 5);
  CHECK(line_at(PythonLines::lnotab, kLnotab, 12) == 4);  // back to where the list begins
  CHECK(line_at(PythonLines::lnotab, kLnotab, 25) == 9);
  CHECK(line_at(PythonLines::lnotab, kLnotab, 28) == 11);
  CHECK(line_at(PythonLines::lnotab, kLnotab, 30) == 10);
}

TEST_CASE("a line of Python 3.10 covers a range of instructions") {
  CHECK(line_at(PythonLines::pairs, kLinePairs, 0) == 2);
  CHECK(line_at(PythonLines::pairs, kLinePairs, 3) == 2);
  CHECK(line_at(PythonLines::pairs, kLinePairs, 4) == 3);
  CHECK(line_at(PythonLines::pairs, kLinePairs, 12) == 4);
  CHECK(line_at(PythonLines::pairs, kLinePairs, 28) == 11);
  CHECK(line_at(PythonLines::pairs, kLinePairs, 30) == 10);
  CHECK(line_at(PythonLines::pairs, kLinePairs, 34) == 0);  // behind the function
}

TEST_CASE("an instruction of Python 3.10 may have no line") {
  CHECK(line_at(PythonLines::pairs, "04010280", 4) == 0);
  CHECK(line_at(PythonLines::pairs, "040102800201", 6) == 3);
}

TEST_CASE("a line of Python 3.12 is in its table of locations") {
  CHECK(line_at(PythonLines::table, kLocations, 0) == 1);
  CHECK(line_at(PythonLines::table, kLocations, 2) == 2);
  CHECK(line_at(PythonLines::table, kLocations, 12) == 6);
  CHECK(line_at(PythonLines::table, kLocations, 14) == 4);
  CHECK(line_at(PythonLines::table, kLocations, 31) == 9);
  CHECK(line_at(PythonLines::table, kLocations, 34) == 11);
  CHECK(line_at(PythonLines::table, kLocations, 40) == 10);
  CHECK(line_at(PythonLines::table, kLocations, 42) == 0);  // behind the function
}

TEST_CASE("a table that is cut off gives no line, and does not read on") {
  for (const PythonLines kind : {PythonLines::pairs, PythonLines::table}) {
    CHECK(line_at(kind, "", 0) == 0);
    CHECK(line_at(kind, "f0", 250) == 0);
  }
}

TEST_CASE("a table of garbage gives no line") {
  std::string down;  // each entry: a difference of nearly 2^29
  std::string up;
  for (int i = 0; i < 9; ++i) {
    down += "e87f7f7f7f3f";
    up += "e87e7f7f7f3f";
  }
  for (const std::string& table : {down, up}) {
    CHECK(line_at(PythonLines::table, table, 17) == 0);
    CHECK(line_at(PythonLines::table, table, 40) == 0);
  }
  constexpr int kLast = std::numeric_limits<int>::max();
  CHECK(python_line(PythonLines::lnotab, bytes_of_digits("007f"), 0, kLast) == 0);
  CHECK(python_line(PythonLines::pairs, bytes_of_digits("047f"), 0, kLast) == 0);
}

}  // namespace tcplab::capture
