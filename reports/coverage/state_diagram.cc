#include "reports/coverage/state_diagram.hh"

#include <algorithm>
#include <array>
#include <bitset>
#include <fmt/format.h>

namespace tcplab::reports {

namespace {

using enum TcpState;
using enum Origin;

constexpr std::size_t kStates = 12;

constexpr Triggers kRst = bit(Trigger::received_rst);
constexpr Triggers kIcmp = bit(Trigger::received_icmp);
constexpr Triggers kSentRst = bit(Trigger::sent_rst);
constexpr Triggers kAlone = bit(Trigger::alone);
constexpr Triggers kPower = bit(Trigger::power);
constexpr Triggers kReceived = bit(Trigger::received);
constexpr Triggers kSent = bit(Trigger::sent);
constexpr Triggers kCall = kSent | kAlone;

constexpr std::string_view kFigure = "RFC 9293 figure 5";
constexpr std::string_view kNote1 = "RFC 9293 figure 5, note 1";
constexpr std::string_view kNote2 = "RFC 9293 figure 5, note 2";
constexpr std::string_view kRstText = "RFC 9293 section 3.10.7.4, second; figure 5, note 3";
constexpr std::string_view kAbortText = "RFC 9293 section 3.10.5; figure 5, note 3";
constexpr std::string_view kTimeoutText = "RFC 9293 section 3.10.8; tcp_retries2";
constexpr std::string_view kOrphanText = "tcp_orphan_retries (tcp(7))";
constexpr std::string_view kPowerText = "the lab: a host without power has no connections";

constexpr std::string_view kNoSendOnListen =
    "Linux has no such call: on a listening socket, write fails with EPIPE and connect with "
    "EISCONN "
    "(RFC 9293 section 3.10.2)";

constexpr std::array kEdges = {
    // Figure 5.
    Edge{closed, listen, kCall, figure, "passive OPEN / create TCB", kFigure},
    Edge{listen, closed, kCall, figure, "CLOSE / delete TCB", kFigure},
    Edge{closed, syn_sent, kCall, figure, "active OPEN / create TCB, snd SYN", kFigure},
    Edge{syn_sent, closed, kCall, figure, "CLOSE / delete TCB", kFigure},
    Edge{listen, syn_recv, kReceived, figure, "rcv SYN / snd SYN,ACK", kFigure},
    Edge{listen, syn_sent, kCall, figure, "SEND / snd SYN", kFigure, kNoSendOnListen},
    Edge{syn_sent, syn_recv, kReceived, figure, "rcv SYN / snd SYN,ACK", kFigure},
    Edge{syn_sent, established, kReceived, figure, "rcv SYN,ACK / snd ACK", kFigure},
    Edge{syn_recv, established, kReceived, figure, "rcv ACK of SYN", kFigure},
    Edge{syn_recv, listen, kRst, figure, "rcv RST", kNote1},
    Edge{syn_recv, fin_wait1, kCall, figure, "CLOSE / snd FIN", kFigure},
    Edge{established, fin_wait1, kCall, figure, "CLOSE / snd FIN", kFigure},
    Edge{established, close_wait, kReceived, figure, "rcv FIN / snd ACK", kFigure},
    Edge{fin_wait1, fin_wait2, kReceived, figure, "rcv ACK of FIN", kFigure},
    Edge{fin_wait1, closing, kReceived, figure, "rcv FIN / snd ACK", kFigure},
    Edge{close_wait, last_ack, kCall, figure, "CLOSE / snd FIN", kFigure},
    Edge{fin_wait2, time_wait, kReceived, figure, "rcv FIN / snd ACK", kFigure},
    Edge{closing, time_wait, kReceived, figure, "rcv ACK of FIN", kFigure},
    Edge{last_ack, closed, kReceived, figure, "rcv ACK of FIN", kFigure},
    Edge{time_wait, closed, kAlone, figure, "timeout = 2 MSL / delete TCB", kFigure},
    // The notes of the figure, and the text of section 3.10.
    Edge{fin_wait1, time_wait, kReceived, section, "rcv FIN with ACK of FIN / snd ACK", kNote2},
    Edge{syn_recv, close_wait, kReceived, section, "rcv FIN with ACK of SYN / snd ACK",
         "RFC 9293 section 3.10.7.4, eighth"},
    Edge{syn_sent, closed, kRst, section, "rcv RST", "RFC 9293 section 3.10.7.3, second"},
    Edge{syn_recv, closed, kRst, section, "rcv RST, after an active OPEN", kRstText},
    Edge{established, closed, kRst, section, "rcv RST", kRstText},
    Edge{fin_wait1, closed, kRst, section, "rcv RST", kRstText},
    Edge{fin_wait2, closed, kRst, section, "rcv RST", kRstText},
    Edge{close_wait, closed, kRst, section, "rcv RST", kRstText},
    Edge{closing, closed, kRst, section, "rcv RST", kRstText},
    Edge{last_ack, closed, kRst, section, "rcv RST", kRstText},
    Edge{time_wait, closed, kRst, section, "rcv RST", "RFC 9293 section 3.10.7.4; RFC 1337"},
    Edge{syn_recv, closed, kSentRst, section, "ABORT / snd RST", kAbortText},
    Edge{established, closed, kSentRst, section, "ABORT / snd RST", kAbortText},
    Edge{fin_wait1, closed, kSentRst, section, "ABORT / snd RST", kAbortText},
    Edge{fin_wait2, closed, kSentRst, section, "ABORT / snd RST", kAbortText},
    Edge{close_wait, closed, kSentRst, section, "ABORT / snd RST", kAbortText},
    Edge{closing, closed, kSentRst, section, "ABORT / delete TCB", kAbortText},
    Edge{last_ack, closed, kSentRst, section, "ABORT / delete TCB", kAbortText},
    Edge{established, closed, kAlone, section, "USER TIMEOUT", kTimeoutText},
    Edge{fin_wait1, closed, kAlone, section, "USER TIMEOUT", kOrphanText},
    Edge{close_wait, closed, kAlone, section, "USER TIMEOUT", kTimeoutText},
    Edge{closing, closed, kAlone, section, "USER TIMEOUT", kOrphanText},
    Edge{last_ack, closed, kAlone, section, "USER TIMEOUT", kOrphanText},
    Edge{syn_recv, closed, kAlone, section, "USER TIMEOUT", "tcp_synack_retries"},
    Edge{time_wait, syn_recv, kReceived, section, "rcv SYN / snd SYN,ACK: reopened",
         "RFC 9293 section 3.6.1, MAY-2; RFC 6191"},
    // Linux only.
    Edge{syn_sent, closed, kIcmp, extra, "rcv ICMP error", "tcp_v4_err(); RFC 1122 4.2.3.9"},
    Edge{syn_recv, closed, kIcmp, extra, "rcv ICMP error", "tcp_v4_err(); RFC 5461"},
    Edge{fin_wait2, closed, kAlone, extra, "tcp_fin_timeout / delete TCB", "tcp(7)"},
    Edge{fin_wait2, closed, kReceived, extra, "rcv data after close / snd RST",
         "tcp_rcv_state_process(); RFC 9293 section 3.6.1"},
    Edge{fin_wait1, closed, kReceived, extra, "rcv data after close / snd RST",
         "tcp_rcv_state_process(); RFC 9293 section 3.6.1"},
    Edge{closed, established, kReceived, extra, "rcv ACK with a SYN cookie",
         "tcp_syncookies (tcp(7)); RFC 4987 section 3.6"},
    Edge{closed, close_wait, kReceived, extra, "rcv FIN with a SYN cookie",
         "cookie_v4_check(); tcp_child_process()"},
    Edge{closed, syn_recv, kReceived, extra, "rcv SYN / snd SYN,ACK", "the listener was not seen"},
    Edge{time_wait, syn_sent, kCall, extra, "active OPEN / snd SYN: reused",
         "tcp_tw_reuse (tcp(7)); RFC 6191"},
    Edge{listen, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{syn_sent, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{syn_recv, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{established, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{fin_wait1, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{fin_wait2, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{close_wait, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{closing, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{last_ack, closed, kPower, Origin::power, "power off", kPowerText},
    Edge{time_wait, closed, kPower, Origin::power, "power off", kPowerText},
};

using States = std::bitset<kStates>;

std::size_t index(TcpState state) { return static_cast<std::size_t>(state); }

bool is_received(const Edge& edge) { return (edge.triggers & (kReceived | kRst | kIcmp)) != 0; }

bool begins_anew(TcpState from) { return from == closed || from == time_wait; }

/// Returns `from`, and the states that one more edge of this kind leads to. Edges to CLOSED or back
/// to LISTEN do not count, because they end the connection.
States after(const States& from, bool received, bool may_begin_anew) {
  States reached = from;
  for (const Edge& edge : kEdges) {
    const bool goes_on = edge.to != closed && edge.to != listen && edge.unseen.empty();
    const bool begins = begins_anew(edge.from) && !may_begin_anew;
    if (goes_on && !begins && is_received(edge) == received && from.test(index(edge.from)))
      reached.set(index(edge.to));
  }
  return reached;
}

/// Returns the states that can follow around one frame. The wire inspects the kernel at each frame,
/// so at most one segment was received; a program may have made calls before and after it.
States around_a_frame(const States& from) {
  return after(after(after(from, false, false), true, false), false, false);
}

/// Returns the states that can follow between two samples. Any number of segments may have passed,
/// but the end of a connection is always seen.
States between_samples(States reached) {
  for (std::size_t before = 0; before != reached.count();) {
    before = reached.count();
    reached = after(after(reached, false, true), true, true);
  }
  return reached;
}

/// Returns whether the change was seen by a poll, or is on loopback, where there are no frames.
bool is_a_sample(const capture::State& change) {
  return change.cause != capture::StateCause::frame ||
         change.local.address == change.remote.address;
}

}  // namespace

std::span<const Edge> state_diagram() { return kEdges; }

const Edge* find_edge(TcpState from, TcpState to, Trigger trigger) {
  const Edge* only = nullptr;
  int candidates = 0;
  for (const Edge& edge : kEdges) {
    if (edge.from != from || edge.to != to) continue;
    if ((edge.triggers & bit(trigger)) != 0) return &edge;
    if (edge.triggers == kPower) continue;  // the lab always knows about a loss of power
    // On loopback the beginning is not seen. That does not mean that a segment caused it.
    if (edge.from == closed && is_received(edge)) continue;
    only = &edge;
    ++candidates;
  }
  return candidates == 1 ? only : nullptr;
}

StateChangeKind judge(const capture::State& change) {
  const auto joins = [&](const Edge& edge) {
    return edge.from == change.from && edge.to == change.to;
  };
  if (std::ranges::any_of(kEdges, joins)) return StateChangeKind::edge;
  States from;
  from.set(index(change.from));
  const States reached = is_a_sample(change) ? between_samples(from) : around_a_frame(from);
  return reached.test(index(change.to)) ? StateChangeKind::merged : StateChangeKind::finding;
}

std::string describe_finding(const capture::State& change) {
  return fmt::format("{} {} > {}: {} to {} around frame {}, which is not in RFC 9293", change.host,
                     change.local.to_string(), change.remote.to_string(),
                     capture::name(change.from), capture::name(change.to), change.frame);
}

}  // namespace tcplab::reports
