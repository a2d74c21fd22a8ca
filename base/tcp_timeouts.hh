// The kernel's own limits of retransmissions: include/net/tcp.h and net/ipv4/tcp_timer.c.
#pragma once

#include "base/clock.hh"

namespace tcplab::base {

inline constexpr nanoseconds kInitialRto = std::chrono::seconds(1);  // TCP_TIMEOUT_INIT, RFC 6298
inline constexpr nanoseconds kRtoMin = std::chrono::milliseconds(200);  // TCP_RTO_MIN
inline constexpr nanoseconds kRtoMax = std::chrono::seconds(120);       // TCP_RTO_MAX_SEC

/// tcp_model_timeout(): returns the time of `retries` doublings from `base`, with a ceiling.
nanoseconds model_timeout(long retries, nanoseconds base, nanoseconds highest);

}  // namespace tcplab::base
