// Decodes UTF-8 (RFC 3629), one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tcplab::base {

struct CodePoint {
  char32_t code = 0;
  std::size_t length = 1;  // bytes; 1 for a byte that is not UTF-8
  bool valid = false;
};

/// Decodes the first character of `text`, which must not be empty.
CodePoint decode_utf8(std::string_view text);

/// Returns the length in bytes of a character with this first byte; 1 if no character begins so.
std::size_t utf8_length(char first);

/// Returns true for each byte of a character but its first.
constexpr bool continues_utf8(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

/// Appends a code point in UTF-8. A value that none is (RFC 3629 section 3) becomes U+FFFD.
void append_utf8(std::string& text, char32_t code);

}  // namespace tcplab::base
