#include "capture/runtimes/v8_lines.hh"

#include <algorithm>

namespace tcplab::capture {

namespace {

/// Reads the numbers of a table: groups of 7 bits, the lowest first, and the sign in bit 0.
class Numbers {
public:
  explicit Numbers(std::span<const std::byte> bytes) : rest_(bytes) {}

  bool is_done() const { return rest_.empty(); }

  std::optional<std::int64_t> next() {
    constexpr std::uint8_t kContinues = 0x80;
    constexpr unsigned kGroup = 7;
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += kGroup) {
      const auto byte = std::to_integer<std::uint8_t>(rest_.front());
      rest_ = rest_.subspan(1);
      bits |= static_cast<std::uint64_t>(byte & (kContinues - 1U)) << shift;
      if ((byte & kContinues) == 0)
        return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
    }
    return std::nullopt;
  }

private:
  std::span<const std::byte> rest_;
};

/// The place in the script: SourcePosition::ScriptOffset(), one more in bits 1 to 30. Bit 0 is set
/// for a place outside of JavaScript.
std::optional<std::size_t> script_offset(std::int64_t position) {
  const auto offset = static_cast<std::size_t>(position >> 1 & 0x3fff'ffff);
  if ((position & 1) != 0 || offset == 0) return std::nullopt;
  return offset - 1;
}

}  // namespace

std::optional<std::size_t> v8_position(std::span<const std::byte> table, std::int64_t offset) {
  Numbers numbers(table);
  // Without a sign, because the sums of garbage overflow.
  std::uint64_t bytecode = -1;  // the first entry is that of the function's beginning
  std::uint64_t position = 0;
  std::optional<std::size_t> found;
  while (!numbers.is_done()) {
    const auto bytecodes = numbers.next();
    const auto positions = numbers.next();
    if (!bytecodes || !positions) return std::nullopt;
    // A negative number is the complement: the entry is that of an expression, not a statement.
    bytecode += static_cast<std::uint64_t>(*bytecodes < 0 ? ~*bytecodes : *bytecodes);
    position += static_cast<std::uint64_t>(*positions);
    if (static_cast<std::int64_t>(bytecode) > offset) break;
    if (const auto place = script_offset(static_cast<std::int64_t>(position))) found = place;
  }
  return found;
}

int v8_line(std::u16string_view source, std::size_t position) {
  int line = 1;
  for (std::size_t i = 0; i < std::min(position, source.size()); ++i) {
    const char16_t character = source[i];
    const bool is_first_of_two =
        character == u'\r' && i + 1 < source.size() && source[i + 1] == u'\n';
    // ECMAScript's line terminators.
    if (character == u'\n' || character == u'\u2028' || character == u'\u2029' ||
        (character == u'\r' && !is_first_of_two))
      ++line;
  }
  return line;
}

}  // namespace tcplab::capture
