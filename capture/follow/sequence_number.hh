// Arithmetic on TCP sequence numbers.
#pragma once

#include <cstdint>

namespace tcplab::capture {

/// RFC 9293 section 3.4: sequence numbers are compared modulo 2^32.
inline bool is_before(std::uint32_t one, std::uint32_t other) {
  return static_cast<std::int32_t>(one - other) < 0;
}

/// The later of two sequence numbers.
inline std::uint32_t later(std::uint32_t one, std::uint32_t other) {
  return is_before(one, other) ? other : one;
}

}  // namespace tcplab::capture
