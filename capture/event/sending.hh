// How a connection sends: an event of its own, and part of a SocketDetail.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::capture {

/// How a socket sends, from TCP_INFO (tcp(7), include/uapi/linux/tcp.h).
struct SendingInfo {
  base::nanoseconds rto{};        // retransmission timeout, backed off
  base::nanoseconds rtt{};        // smoothed round trip time; 0 before the first measure
  std::uint32_t unacked = 0;      // segments
  std::uint32_t retransmits = 0;  // of the oldest segment, in a row
  std::uint32_t backoff = 0;      // how often the timeout was doubled
  std::uint32_t lost = 0;         // segments, as the sender believes
  std::uint32_t cwnd = 0;         // segments
  std::uint32_t ssthresh = 0;     // segments; 2^31 - 1 before the first loss
  std::uint32_t all_retransmits = 0;
  std::uint32_t not_sent = 0;  // bytes of the send queue
  std::uint32_t mss = 0;
  std::uint32_t window = 0;  // the peer's receive window in bytes; 0 before Linux 6.2

  bool operator==(const SendingInfo&) const = default;
};

/// How a connection sends, after a frame. There is one only if a value changed.
struct Sending {
  std::string host;
  base::Endpoint local;
  base::Endpoint remote;
  std::uint64_t frame = 0;  // the frame that the host sent or received
  SendingInfo info;
};

}  // namespace tcplab::capture
