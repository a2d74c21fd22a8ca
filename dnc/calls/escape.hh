// Bytes as a C string literal would have them: "\n", "\"", "\\", and octal with three digits for
// what does not print, because C's \x has no end. And the same once more inside a JSON string.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcplab::dnc {

/// How much of the data that a call moved is shown, in bytes.
inline constexpr std::size_t kBytesShown = 64;

/// One byte's spelling, kept in tables: the record of calls is on the hot path.
struct Spelling {
  std::array<char, 7> text{};
  std::uint8_t size = 0;
  std::string_view view() const { return {text.data(), size}; }
};
const Spelling& c_spelling(unsigned char byte);
const Spelling& json_spelling(unsigned char byte);  // of the C spelling

/// Without the quotes around it.
std::string c_escape(std::string_view bytes);

/// "\"kodos, are y\"..": the first `shown` bytes in quotes, as truss(1) and strace(1) write them.
std::string c_quote(std::string_view bytes, std::size_t shown = kBytesShown);

/// The bytes that \a \b \e \f \n \r \t \v \\ \" \' \0 \ooo \xHH stand for; nothing when an escape
/// is none of these.
std::optional<std::string> c_unescape(std::string_view text);

}  // namespace tcplab::dnc
