#include "dnc/calls/tcp_info_text.hh"

#include <netinet/tcp.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

namespace tcplab::dnc {

namespace {

std::string_view state_name(unsigned state) {
  // The states of include/net/tcp_states.h, from 1. A connection in 12, NEW_SYN_RECV, has no
  // socket.
  constexpr std::array<std::string_view, 12> kNames = {
      "none",      "ESTABLISHED", "SYN_SENT",   "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2",
      "TIME_WAIT", "CLOSE",       "CLOSE_WAIT", "LAST_ACK", "LISTEN",    "CLOSING"};
  return state < kNames.size() ? kNames[state] : "unknown";
}

std::string_view congestion_name(unsigned state) {
  constexpr std::array<std::string_view, 5> kNames = {"open", "disorder", "CWR", "recovery",
                                                      "loss"};  // enum tcp_ca_state, linux/tcp.h
  return state < kNames.size() ? kNames[state] : "unknown";
}

std::string options_text(unsigned options) {
  std::string text;
  const std::array<std::pair<unsigned, std::string_view>, 4> names = {
      {{TCPI_OPT_TIMESTAMPS, "timestamps"},
       {TCPI_OPT_SACK, "sack"},
       {TCPI_OPT_WSCALE, "wscale"},
       {TCPI_OPT_ECN, "ecn"}}};
  for (const auto& [bit, name] : names)
    if ((options & bit) != 0) text.append(text.empty() ? "" : " ").append(name);
  return text.empty() ? "none" : text;
}

double in_milliseconds(std::uint32_t microseconds) { return microseconds / 1000.0; }

}  // namespace

std::string tcp_info_text(const TcpInfo& info) {
  // A listener's two numbers are about its queue, and it has no others (tcp_get_info()).
  if (info.tcpi_state == TCP_LISTEN)
    return fmt::format("  state LISTEN, {} connections wait for accept, backlog {}\n",
                       info.tcpi_unacked, info.tcpi_sacked);
  // connect(2) and accept(2) set the path MTU; before, the times count from the machine's start.
  if (info.tcpi_state == TCP_CLOSE && info.tcpi_pmtu == 0)
    return "  state CLOSE: this socket was never connected\n";
  return fmt::format(
      "  state {}, congestion {}, options {}\n"
      "  retransmission timeout {:.0f} ms, backoff {}, retransmits {} (in all {}), probes {}\n"
      "  round trip {:.3f} ms +- {:.3f} ms, delayed ack {:.0f} ms\n"
      "  congestion window {} segments of {} bytes, receive space {} bytes\n"
      "  unacknowledged {}, sacked {}, lost {} segments\n"
      "  last data sent {} ms ago, data received {} ms ago, ack received {} ms ago\n",
      state_name(info.tcpi_state), congestion_name(info.tcpi_ca_state),
      options_text(info.tcpi_options), in_milliseconds(info.tcpi_rto), info.tcpi_backoff,
      info.tcpi_retransmits, info.tcpi_total_retrans, info.tcpi_probes,
      in_milliseconds(info.tcpi_rtt), in_milliseconds(info.tcpi_rttvar),
      in_milliseconds(info.tcpi_ato), info.tcpi_snd_cwnd, info.tcpi_snd_mss, info.tcpi_rcv_space,
      info.tcpi_unacked, info.tcpi_sacked, info.tcpi_lost, info.tcpi_last_data_sent,
      info.tcpi_last_data_recv, info.tcpi_last_ack_recv);
}

namespace {

/// A member: its first byte, its size, and for a bit field its place in the byte.
struct Place {
  std::string_view name;
  std::size_t offset;
  std::size_t size;
  unsigned shift = 0;
  std::uint64_t mask = ~std::uint64_t{0};
};

static_assert(std::endian::native == std::endian::little);  // TcpInfoMembers copies low bytes

constexpr std::array kPlaces = {
    Place{"tcpi_state", offsetof(TcpInfo, tcpi_state), 1},
    Place{"tcpi_ca_state", offsetof(TcpInfo, tcpi_ca_state), 1},
    Place{"tcpi_retransmits", offsetof(TcpInfo, tcpi_retransmits), 1},
    Place{"tcpi_probes", offsetof(TcpInfo, tcpi_probes), 1},
    Place{"tcpi_backoff", offsetof(TcpInfo, tcpi_backoff), 1},
    Place{"tcpi_options", offsetof(TcpInfo, tcpi_options), 1},
    Place{"tcpi_snd_wscale", offsetof(TcpInfo, wscales), 1, 0, 0xf},
    Place{"tcpi_rcv_wscale", offsetof(TcpInfo, wscales), 1, 4, 0xf},
    Place{"tcpi_delivery_rate_app_limited", offsetof(TcpInfo, flags), 1, 0, 0x1},
    Place{"tcpi_fastopen_client_fail", offsetof(TcpInfo, flags), 1, 1, 0x3},
    Place{"tcpi_rto", offsetof(TcpInfo, tcpi_rto), 4},
    Place{"tcpi_ato", offsetof(TcpInfo, tcpi_ato), 4},
    Place{"tcpi_snd_mss", offsetof(TcpInfo, tcpi_snd_mss), 4},
    Place{"tcpi_rcv_mss", offsetof(TcpInfo, tcpi_rcv_mss), 4},
    Place{"tcpi_unacked", offsetof(TcpInfo, tcpi_unacked), 4},
    Place{"tcpi_sacked", offsetof(TcpInfo, tcpi_sacked), 4},
    Place{"tcpi_lost", offsetof(TcpInfo, tcpi_lost), 4},
    Place{"tcpi_retrans", offsetof(TcpInfo, tcpi_retrans), 4},
    Place{"tcpi_fackets", offsetof(TcpInfo, tcpi_fackets), 4},
    Place{"tcpi_last_data_sent", offsetof(TcpInfo, tcpi_last_data_sent), 4},
    Place{"tcpi_last_ack_sent", offsetof(TcpInfo, tcpi_last_ack_sent), 4},
    Place{"tcpi_last_data_recv", offsetof(TcpInfo, tcpi_last_data_recv), 4},
    Place{"tcpi_last_ack_recv", offsetof(TcpInfo, tcpi_last_ack_recv), 4},
    Place{"tcpi_pmtu", offsetof(TcpInfo, tcpi_pmtu), 4},
    Place{"tcpi_rcv_ssthresh", offsetof(TcpInfo, tcpi_rcv_ssthresh), 4},
    Place{"tcpi_rtt", offsetof(TcpInfo, tcpi_rtt), 4},
    Place{"tcpi_rttvar", offsetof(TcpInfo, tcpi_rttvar), 4},
    Place{"tcpi_snd_ssthresh", offsetof(TcpInfo, tcpi_snd_ssthresh), 4},
    Place{"tcpi_snd_cwnd", offsetof(TcpInfo, tcpi_snd_cwnd), 4},
    Place{"tcpi_advmss", offsetof(TcpInfo, tcpi_advmss), 4},
    Place{"tcpi_reordering", offsetof(TcpInfo, tcpi_reordering), 4},
    Place{"tcpi_rcv_rtt", offsetof(TcpInfo, tcpi_rcv_rtt), 4},
    Place{"tcpi_rcv_space", offsetof(TcpInfo, tcpi_rcv_space), 4},
    Place{"tcpi_total_retrans", offsetof(TcpInfo, tcpi_total_retrans), 4},
    Place{"tcpi_pacing_rate", offsetof(TcpInfo, tcpi_pacing_rate), 8},
    Place{"tcpi_max_pacing_rate", offsetof(TcpInfo, tcpi_max_pacing_rate), 8},
    Place{"tcpi_bytes_acked", offsetof(TcpInfo, tcpi_bytes_acked), 8},
    Place{"tcpi_bytes_received", offsetof(TcpInfo, tcpi_bytes_received), 8},
    Place{"tcpi_segs_out", offsetof(TcpInfo, tcpi_segs_out), 4},
    Place{"tcpi_segs_in", offsetof(TcpInfo, tcpi_segs_in), 4},
    Place{"tcpi_notsent_bytes", offsetof(TcpInfo, tcpi_notsent_bytes), 4},
    Place{"tcpi_min_rtt", offsetof(TcpInfo, tcpi_min_rtt), 4},
    Place{"tcpi_data_segs_in", offsetof(TcpInfo, tcpi_data_segs_in), 4},
    Place{"tcpi_data_segs_out", offsetof(TcpInfo, tcpi_data_segs_out), 4},
    Place{"tcpi_delivery_rate", offsetof(TcpInfo, tcpi_delivery_rate), 8},
    Place{"tcpi_busy_time", offsetof(TcpInfo, tcpi_busy_time), 8},
    Place{"tcpi_rwnd_limited", offsetof(TcpInfo, tcpi_rwnd_limited), 8},
    Place{"tcpi_sndbuf_limited", offsetof(TcpInfo, tcpi_sndbuf_limited), 8},
    Place{"tcpi_delivered", offsetof(TcpInfo, tcpi_delivered), 4},
    Place{"tcpi_delivered_ce", offsetof(TcpInfo, tcpi_delivered_ce), 4},
    Place{"tcpi_bytes_sent", offsetof(TcpInfo, tcpi_bytes_sent), 8},
    Place{"tcpi_bytes_retrans", offsetof(TcpInfo, tcpi_bytes_retrans), 8},
    Place{"tcpi_dsack_dups", offsetof(TcpInfo, tcpi_dsack_dups), 4},
    Place{"tcpi_reord_seen", offsetof(TcpInfo, tcpi_reord_seen), 4},
    Place{"tcpi_rcv_ooopack", offsetof(TcpInfo, tcpi_rcv_ooopack), 4},
    Place{"tcpi_snd_wnd", offsetof(TcpInfo, tcpi_snd_wnd), 4},
    Place{"tcpi_rcv_wnd", offsetof(TcpInfo, tcpi_rcv_wnd), 4},
    Place{"tcpi_rehash", offsetof(TcpInfo, tcpi_rehash), 4},
    Place{"tcpi_total_rto", offsetof(TcpInfo, tcpi_total_rto), 2},
    Place{"tcpi_total_rto_recoveries", offsetof(TcpInfo, tcpi_total_rto_recoveries), 2},
    Place{"tcpi_total_rto_time", offsetof(TcpInfo, tcpi_total_rto_time), 4},
    Place{"tcpi_received_ce", offsetof(TcpInfo, tcpi_received_ce), 4},
    Place{"tcpi_delivered_e1_bytes", offsetof(TcpInfo, tcpi_delivered_e1_bytes), 4},
    Place{"tcpi_delivered_e0_bytes", offsetof(TcpInfo, tcpi_delivered_e0_bytes), 4},
    Place{"tcpi_delivered_ce_bytes", offsetof(TcpInfo, tcpi_delivered_ce_bytes), 4},
    Place{"tcpi_received_e1_bytes", offsetof(TcpInfo, tcpi_received_e1_bytes), 4},
    Place{"tcpi_received_e0_bytes", offsetof(TcpInfo, tcpi_received_e0_bytes), 4},
    Place{"tcpi_received_ce_bytes", offsetof(TcpInfo, tcpi_received_ce_bytes), 4},
    Place{"tcpi_accecn_fail_mode", offsetof(TcpInfo, tcpi_accecn_fail_mode), 2},
    Place{"tcpi_accecn_opt_seen", offsetof(TcpInfo, tcpi_accecn_opt_seen), 2},
};

}  // namespace

TcpInfoMembers::TcpInfoMembers(const TcpInfo& info, std::size_t size) {
  static_assert(kPlaces.size() <= kMost);
  const auto* const bytes = reinterpret_cast<const char*>(&info);
  for (const Place& place : kPlaces) {
    if (place.offset + place.size > size) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + place.offset, place.size);
    values_[count_++] = {place.name, static_cast<std::int64_t>(value >> place.shift & place.mask)};
  }
}

}  // namespace tcplab::dnc
