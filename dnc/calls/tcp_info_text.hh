// TCP_INFO, the kernel's data about a connection (tcp(7), linux/tcp.h): as text for people, and as
// members with their names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

/// struct tcp_info of Linux 6.18. The C library's has fewer members, and so have older kernels: the
/// kernel only appends to it.
struct TcpInfo {
  std::uint8_t tcpi_state;
  std::uint8_t tcpi_ca_state;
  std::uint8_t tcpi_retransmits;
  std::uint8_t tcpi_probes;
  std::uint8_t tcpi_backoff;
  std::uint8_t tcpi_options;
  std::uint8_t wscales;  // tcpi_snd_wscale, tcpi_rcv_wscale: 4 bits each
  std::uint8_t flags;    // tcpi_delivery_rate_app_limited: 1 bit; tcpi_fastopen_client_fail: 2
  std::uint32_t tcpi_rto;
  std::uint32_t tcpi_ato;
  std::uint32_t tcpi_snd_mss;
  std::uint32_t tcpi_rcv_mss;
  std::uint32_t tcpi_unacked;
  std::uint32_t tcpi_sacked;
  std::uint32_t tcpi_lost;
  std::uint32_t tcpi_retrans;
  std::uint32_t tcpi_fackets;
  std::uint32_t tcpi_last_data_sent;
  std::uint32_t tcpi_last_ack_sent;
  std::uint32_t tcpi_last_data_recv;
  std::uint32_t tcpi_last_ack_recv;
  std::uint32_t tcpi_pmtu;
  std::uint32_t tcpi_rcv_ssthresh;
  std::uint32_t tcpi_rtt;
  std::uint32_t tcpi_rttvar;
  std::uint32_t tcpi_snd_ssthresh;
  std::uint32_t tcpi_snd_cwnd;
  std::uint32_t tcpi_advmss;
  std::uint32_t tcpi_reordering;
  std::uint32_t tcpi_rcv_rtt;
  std::uint32_t tcpi_rcv_space;
  std::uint32_t tcpi_total_retrans;
  std::uint64_t tcpi_pacing_rate;
  std::uint64_t tcpi_max_pacing_rate;
  std::uint64_t tcpi_bytes_acked;
  std::uint64_t tcpi_bytes_received;
  std::uint32_t tcpi_segs_out;
  std::uint32_t tcpi_segs_in;
  std::uint32_t tcpi_notsent_bytes;
  std::uint32_t tcpi_min_rtt;
  std::uint32_t tcpi_data_segs_in;
  std::uint32_t tcpi_data_segs_out;
  std::uint64_t tcpi_delivery_rate;
  std::uint64_t tcpi_busy_time;
  std::uint64_t tcpi_rwnd_limited;
  std::uint64_t tcpi_sndbuf_limited;
  std::uint32_t tcpi_delivered;
  std::uint32_t tcpi_delivered_ce;
  std::uint64_t tcpi_bytes_sent;
  std::uint64_t tcpi_bytes_retrans;
  std::uint32_t tcpi_dsack_dups;
  std::uint32_t tcpi_reord_seen;
  std::uint32_t tcpi_rcv_ooopack;
  std::uint32_t tcpi_snd_wnd;
  std::uint32_t tcpi_rcv_wnd;
  std::uint32_t tcpi_rehash;
  std::uint16_t tcpi_total_rto;
  std::uint16_t tcpi_total_rto_recoveries;
  std::uint32_t tcpi_total_rto_time;
  std::uint32_t tcpi_received_ce;
  std::uint32_t tcpi_delivered_e1_bytes;
  std::uint32_t tcpi_delivered_e0_bytes;
  std::uint32_t tcpi_delivered_ce_bytes;
  std::uint32_t tcpi_received_e1_bytes;
  std::uint32_t tcpi_received_e0_bytes;
  std::uint32_t tcpi_received_ce_bytes;
  std::uint16_t tcpi_accecn_fail_mode;
  std::uint16_t tcpi_accecn_opt_seen;
};
static_assert(sizeof(TcpInfo) == 280);

/// Returns several lines: state, timers, round-trip time, windows, unacknowledged and lost
/// segments.
std::string tcp_info_text(const TcpInfo& info);

/// The members that a kernel has given. Times are in microseconds, as in linux/tcp.h; those named
/// tcpi_last_* and tcpi_total_rto_time are in milliseconds.
class TcpInfoMembers {
public:
  /// `size`: how many bytes the kernel has stored.
  TcpInfoMembers(const TcpInfo& info, std::size_t size);

  std::span<const MemberValue> values() const { return std::span(values_).first(count_); }

private:
  static constexpr std::size_t kMost = 80;

  std::array<MemberValue, kMost> values_{};
  std::size_t count_ = 0;
};

}  // namespace tcplab::dnc
