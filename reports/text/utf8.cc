#include "reports/text/utf8.hh"

namespace tcplab::reports {

namespace {

/// Returns the length in bytes of a character that begins with `first`; 0 if none does.
std::size_t length_from(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

/// RFC 3629 section 3: no surrogates, no overlong forms, nothing past U+10FFFF.
bool is_lawful(char32_t code, std::size_t length) {
  if (length == 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
  if (length == 4) return code >= 0x10000 && code <= 0x10ffff;
  return true;
}

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = length_from(first);
  const CodePoint invalid{.code = first, .length = 1, .valid = false};
  if (length == 0 || length > text.size()) return invalid;
  char32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t index = 1; index < length; ++index) {
    const auto next = static_cast<unsigned char>(text[index]);
    if ((next & 0xc0U) != 0x80) return invalid;
    code = (code << 6U) | (next & 0x3fU);
  }
  if (!is_lawful(code, length)) return invalid;
  return {.code = code, .length = length, .valid = true};
}

}  // namespace tcplab::reports
