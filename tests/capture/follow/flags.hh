// Short names for the flags of segments, for tests.
#pragma once

#include "capture/decode/decoded_frame.hh"

namespace tcplab::tests {

inline constexpr std::uint16_t kSyn = capture::TcpFlags::kSyn;
inline constexpr std::uint16_t kAck = capture::TcpFlags::kAck;
inline constexpr std::uint16_t kFin = capture::TcpFlags::kFin;
inline constexpr std::uint16_t kRst = capture::TcpFlags::kRst;

}  // namespace tcplab::tests
