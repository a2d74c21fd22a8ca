// How a socket sends, from TCP_INFO (tcp(7), include/uapi/linux/tcp.h). A value;
// SocketTable::detail() asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::capture {

struct SocketDetail {
  Socket socket;
  std::optional<SendingInfo> sending;  // not for a request or a time-wait minisocket
};

/// Returns "retransmit", "keepalive", "time-wait" or "persist" (a window probe); empty if no timer
/// runs. sock_diag(7) has one timer: "retransmit" is also the tail loss probe, the reordering timer
/// of RACK, and the SYN/ACK timer (inet_csk_diag_fill(), inet_req_diag_fill()).
std::string_view timer_name(const Socket& socket);

/// Returns the retransmission timeout before back-off. tcp_retransmit_timer() doubles it with each
/// retransmission; tcp_send_probe0() does not, and only counts. Too low if the back-off has reached
/// tcp_rto_max_ms. nullopt if there is no full socket.
std::optional<base::nanoseconds> first_rto(const SocketDetail& detail);

/// Reads an INET_DIAG_INFO attribute. Older kernels make it shorter; what they lack is 0.
SendingInfo read_tcp_info(const void* info, std::size_t size);

}  // namespace tcplab::capture
