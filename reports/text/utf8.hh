// Decodes UTF-8 (RFC 3629), one character at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace tcplab::reports {

struct CodePoint {
  char32_t code = 0;
  std::size_t length = 1;  // bytes; 1 for a byte that is not UTF-8
  bool valid = false;
};

/// Decodes the first character of `text`, which must not be empty.
CodePoint decode_utf8(std::string_view text);

}  // namespace tcplab::reports
