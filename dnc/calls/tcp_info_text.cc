#include "dnc/calls/tcp_info_text.hh"

#include <netinet/tcp.h>

#include <array>
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

double milliseconds(std::uint32_t microseconds) { return microseconds / 1000.0; }

}  // namespace

std::string tcp_info_text(const tcp_info& info) {
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
      options_text(info.tcpi_options), milliseconds(info.tcpi_rto), info.tcpi_backoff,
      info.tcpi_retransmits, info.tcpi_total_retrans, info.tcpi_probes, milliseconds(info.tcpi_rtt),
      milliseconds(info.tcpi_rttvar), milliseconds(info.tcpi_ato), info.tcpi_snd_cwnd,
      info.tcpi_snd_mss, info.tcpi_rcv_space, info.tcpi_unacked, info.tcpi_sacked, info.tcpi_lost,
      info.tcpi_last_data_sent, info.tcpi_last_data_recv, info.tcpi_last_ack_recv);
}

std::array<MemberValue, kTcpInfoMembers> tcp_info_members(const tcp_info& info) {
  return {{{"tcpi_state", info.tcpi_state},
           {"tcpi_ca_state", info.tcpi_ca_state},
           {"tcpi_retransmits", info.tcpi_retransmits},
           {"tcpi_probes", info.tcpi_probes},
           {"tcpi_backoff", info.tcpi_backoff},
           {"tcpi_options", info.tcpi_options},
           {"tcpi_snd_wscale", info.tcpi_snd_wscale},
           {"tcpi_rcv_wscale", info.tcpi_rcv_wscale},
           {"tcpi_rto", info.tcpi_rto},
           {"tcpi_ato", info.tcpi_ato},
           {"tcpi_snd_mss", info.tcpi_snd_mss},
           {"tcpi_rcv_mss", info.tcpi_rcv_mss},
           {"tcpi_unacked", info.tcpi_unacked},
           {"tcpi_sacked", info.tcpi_sacked},
           {"tcpi_lost", info.tcpi_lost},
           {"tcpi_retrans", info.tcpi_retrans},
           {"tcpi_fackets", info.tcpi_fackets},
           {"tcpi_last_data_sent", info.tcpi_last_data_sent},
           {"tcpi_last_ack_sent", info.tcpi_last_ack_sent},
           {"tcpi_last_data_recv", info.tcpi_last_data_recv},
           {"tcpi_last_ack_recv", info.tcpi_last_ack_recv},
           {"tcpi_pmtu", info.tcpi_pmtu},
           {"tcpi_rcv_ssthresh", info.tcpi_rcv_ssthresh},
           {"tcpi_rtt", info.tcpi_rtt},
           {"tcpi_rttvar", info.tcpi_rttvar},
           {"tcpi_snd_ssthresh", info.tcpi_snd_ssthresh},
           {"tcpi_snd_cwnd", info.tcpi_snd_cwnd},
           {"tcpi_advmss", info.tcpi_advmss},
           {"tcpi_reordering", info.tcpi_reordering},
           {"tcpi_rcv_rtt", info.tcpi_rcv_rtt},
           {"tcpi_rcv_space", info.tcpi_rcv_space},
           {"tcpi_total_retrans", info.tcpi_total_retrans}}};
}

}  // namespace tcplab::dnc
