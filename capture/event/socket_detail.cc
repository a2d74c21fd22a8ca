#include "capture/event/socket_detail.hh"

#include <linux/tcp.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tcplab::capture {

std::string_view timer_name(const Socket& socket) {
  // idiag_timer of struct inet_diag_msg, linux/inet_diag.h.
  constexpr std::array<std::string_view, 5> kNames = {"", "retransmit", "keepalive", "time-wait",
                                                      "persist"};
  return socket.timer < kNames.size() ? kNames[socket.timer] : "";
}

std::optional<base::nanoseconds> first_rto(const SocketDetail& detail) {
  if (!detail.sending) return std::nullopt;
  if (timer_name(detail.socket) != "retransmit") return detail.sending->rto;
  return detail.sending->rto / (std::int64_t{1} << detail.sending->backoff);
}

SendingInfo read_tcp_info(const void* bytes, std::size_t size) {
  tcp_info info{};
  std::memcpy(&info, bytes, std::min(size, sizeof info));
  return {.rto = std::chrono::microseconds(info.tcpi_rto),
          .rtt = std::chrono::microseconds(info.tcpi_rtt),
          .unacked = info.tcpi_unacked,
          .retransmits = info.tcpi_retransmits,
          .backoff = info.tcpi_backoff,
          .lost = info.tcpi_lost,
          .cwnd = info.tcpi_snd_cwnd,
          .ssthresh = info.tcpi_snd_ssthresh,
          .all_retransmits = info.tcpi_total_retrans,
          .not_sent = info.tcpi_notsent_bytes,
          .mss = info.tcpi_snd_mss,
          .window = info.tcpi_snd_wnd};
}

}  // namespace tcplab::capture
