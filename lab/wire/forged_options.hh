// The TCP options of a forged segment, and their bytes in its header. Any of them may stand in any
// segment: a forged one need not be valid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/decode/decode.hh"

namespace tcplab::lab {

struct ForgedOptions {
  std::optional<std::uint16_t> mss{};                // RFC 9293 section 3.7.1
  std::optional<std::uint8_t> window_scale{};        // RFC 7323 section 2.2
  bool sack_permitted = false;                       // RFC 2018 section 2
  std::vector<capture::SackBlock> sack{};            // RFC 2018 section 3
  std::optional<capture::TcpTimestamps> timestamps;  // RFC 7323 section 3.2
  // RFC 7413 section 4.1.1: the bytes of the cookie; an empty one asks for a cookie.
  std::optional<std::string> fast_open{};
  std::string raw{};  // bytes after the options above
};

/// Returns the bytes of the options, in the order of their kinds and with zeros at the end, so that
/// their number is a multiple of 4. Throws base::UsageError if they need more than the 40 bytes
/// that a TCP header has room for (RFC 9293 section 3.1).
std::string encode(const ForgedOptions& options);

}  // namespace tcplab::lab
