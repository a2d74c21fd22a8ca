#include "capture/runtimes/python_lines.hh"

#include <utility>

namespace tcplab::capture {

namespace {

/// Bytes of a table, one after the other. After the end, zeros.
class TableReader {
public:
  explicit TableReader(std::span<const std::byte> table) : table_(table) {}

  bool at_end() const { return at_ >= table_.size(); }

  unsigned int byte() { return at_end() ? 0 : std::to_integer<unsigned int>(table_[at_++]); }

  int signed_byte() { return static_cast<std::int8_t>(byte()); }

  /// Six bits in each byte, the lowest first; bit 6: another byte follows.
  unsigned int varint() {
    unsigned int value = 0;
    unsigned int next = 0;
    int shift = 0;
    do {
      next = byte();
      if (shift < 30) value |= (next & 63) << shift;
      shift += 6;
    } while ((next & 64) != 0);
    return value;
  }

  int signed_varint() {
    const unsigned int value = varint();
    const int size = static_cast<int>(value >> 1);
    return (value & 1) != 0 ? -size : size;
  }

  void skip(std::size_t count) { at_ += count; }

private:
  std::span<const std::byte> table_;
  std::size_t at_ = 0;
};

// Lines are added in 64 bits: a table of garbage may have any numbers.

std::int64_t line_in_lnotab(TableReader reader, std::uint64_t offset, std::int64_t line) {
  std::uint64_t at = 0;
  while (!reader.at_end()) {
    at += reader.byte();
    if (at > offset) break;
    line += reader.signed_byte();
  }
  return line;
}

std::int64_t line_in_pairs(TableReader reader, std::uint64_t offset, std::int64_t line) {
  constexpr int kNoLine = -128;
  std::uint64_t end = 0;
  while (!reader.at_end()) {
    end += reader.byte();
    const int change = reader.signed_byte();
    if (change != kNoLine) line += change;
    if (offset < end) return change == kNoLine ? 0 : line;
  }
  return 0;
}

/// The codes of Objects/locations.md.
std::int64_t line_in_table(TableReader reader, std::uint64_t offset, std::int64_t line) {
  constexpr unsigned int kShortForms = 10;
  constexpr unsigned int kOneLineForms = 13;
  constexpr unsigned int kNoColumns = 13;
  constexpr unsigned int kLong = 14;
  constexpr std::uint64_t kUnit = 2;  // bytes of an instruction
  std::uint64_t end = 0;
  while (!reader.at_end()) {
    const unsigned int head = reader.byte();
    const unsigned int code = head >> 3 & 15;
    end += ((head & 7) + 1) * kUnit;
    bool has_line = true;
    if (code < kShortForms) {
      reader.skip(1);
    } else if (code < kOneLineForms) {
      line += static_cast<int>(code - kShortForms);
      reader.skip(2);
    } else if (code == kNoColumns) {
      line += reader.signed_varint();
    } else if (code == kLong) {
      line += reader.signed_varint();
      for (int i = 0; i < 3; ++i) reader.varint();
    } else {
      has_line = false;
    }
    if (offset < end) return has_line ? line : 0;
  }
  return 0;
}

std::int64_t line_of(PythonLines kind, TableReader reader, std::uint64_t offset, int first) {
  switch (kind) {
    case PythonLines::lnotab:
      return line_in_lnotab(reader, offset, first);
    case PythonLines::pairs:
      return line_in_pairs(reader, offset, first);
    case PythonLines::table:
      return line_in_table(reader, offset, first);
  }
  return 0;
}

}  // namespace

int python_line(PythonLines kind, std::span<const std::byte> table, std::uint64_t offset,
                int first) {
  const std::int64_t line = line_of(kind, TableReader(table), offset, first);
  return line > 0 && std::in_range<int>(line) ? static_cast<int>(line) : 0;
}

}  // namespace tcplab::capture
