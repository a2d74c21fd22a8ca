#include "base/utf8.hh"

namespace tcplab::base {

namespace {

/// RFC 3629 section 3: no surrogates, no overlong forms, nothing past U+10FFFF.
bool is_lawful(char32_t code, std::size_t length) {
  if (length == 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
  if (length == 4) return code >= 0x10000 && code <= 0x10ffff;
  return code < 0x80 || length == 2;
}

}  // namespace

std::size_t utf8_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 1;
}

CodePoint decode_utf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = utf8_length(text[0]);
  const CodePoint invalid{.code = first, .length = 1, .valid = false};
  if (length > text.size()) return invalid;
  char32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t index = 1; index < length; ++index) {
    if (!continues_utf8(text[index])) return invalid;
    code = (code << 6U) | (static_cast<unsigned char>(text[index]) & 0x3fU);
  }
  if (!is_lawful(code, length)) return invalid;
  return {.code = code, .length = length, .valid = true};
}

void append_utf8(std::string& text, char32_t code) {
  constexpr char32_t kReplacement = 0xfffd;
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) code = kReplacement;
  const auto append = [&text](char32_t byte) {
    text += static_cast<char>(static_cast<unsigned char>(byte));
  };
  const auto follow = [&](unsigned int shift) { append(0x80U | (code >> shift & 0x3fU)); };
  if (code < 0x80) {
    append(code);
  } else if (code < 0x800) {
    append(0xc0U | code >> 6U);
    follow(0);
  } else if (code < 0x10000) {
    append(0xe0U | code >> 12U);
    follow(6);
    follow(0);
  } else {
    append(0xf0U | code >> 18U);
    follow(12);
    follow(6);
    follow(0);
  }
}

}  // namespace tcplab::base
