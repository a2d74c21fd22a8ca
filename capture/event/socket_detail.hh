// How a socket sends, from TCP_INFO (tcp(7), include/uapi/linux/tcp.h). A value;
// SocketTable::detail() asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::capture {

struct SendingInfo {
  nanoseconds rto{};              // retransmission timeout, backed off
  nanoseconds rtt{};              // smoothed round trip time; 0 before the first measure
  std::uint32_t unacked = 0;      // segments
  std::uint32_t retransmits = 0;  // of the oldest segment, in a row
  std::uint32_t backoff = 0;      // how often the timeout was doubled
  std::uint32_t lost = 0;         // segments, as the sender believes
  std::uint32_t cwnd = 0;         // segments
  std::uint32_t ssthresh = 0;     // segments; 2^31 - 1 before the first loss
  std::uint32_t all_retransmits = 0;
  std::uint32_t not_sent = 0;  // bytes of the send queue
  std::uint32_t mss = 0;

  bool operator==(const SendingInfo&) const = default;
};

struct SocketDetail {
  Socket socket;
  std::optional<SendingInfo> sending;  // not for a request or a time-wait minisocket
};

/// Returns "retransmit", "keepalive", "time-wait" or "persist" (a window probe); empty if no timer
/// runs. sock_diag(7) has one timer: "retransmit" is also the tail loss probe, the reordering timer
/// of RACK, and the SYN/ACK timer (inet_csk_diag_fill(), inet_req_diag_fill()).
std::string_view timer_name(const Socket& socket);

/// Reads an INET_DIAG_INFO attribute. Older kernels make it shorter; what they lack is 0.
SendingInfo read_tcp_info(const void* info, std::size_t size);

}  // namespace tcplab::capture
