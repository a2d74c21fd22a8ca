// Escapes bytes as in a C string literal: "\n", "\"", "\\", and three octal digits for unprintable
// bytes, because C's \x takes any number of digits. For JSON strings, escapes the result once more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcplab::base {

/// The number of bytes of a call's data that a log shows.
inline constexpr std::size_t kBytesShown = 64;

/// One escaped byte. All are kept in tables, because logging is on the hot path.
struct EscapedByte {
  std::array<char, 7> text{};
  std::uint8_t size = 0;
  std::string_view view() const { return {text.data(), size}; }
};
const EscapedByte& escaped_for_c(unsigned char byte);
const EscapedByte& escaped_for_json(unsigned char byte);  // first for C, then for JSON

/// Returns the escaped bytes without quotes.
std::string c_escape(std::string_view bytes);

/// Returns the first `shown` bytes, escaped and in quotes, with ".." if there are more, as truss(1)
/// does: "\"kodos, are y\"..".
std::string c_quote(std::string_view bytes, std::size_t shown = kBytesShown);

/// Replaces the escapes \a \b \e \f \n \r \t \v \\ \" \' \0 \ooo \xHH. Returns nullopt if the text
/// contains another escape.
std::optional<std::string> c_unescape(std::string_view text);

}  // namespace tcplab::base
