// The TCP state machine as data: RFC 9293 Figure 5, its notes, section 3.10, and what Linux adds.
// Every edge names its source. Values only; coverage.hh counts which edges were seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::reports {

using capture::TcpState;

/// What the wire and the lab know about the cause of a transition.
enum class Trigger : std::uint8_t {
  received,       // a segment without RST
  received_rst,   //
  received_icmp,  // any frame that is not TCP
  sent,           // a segment without RST; usually because of a call
  sent_rst,       //
  alone,          // no frame: a timer, or a call that sends nothing
  power,          // the host lost its power
};

using Triggers = std::uint32_t;
constexpr Triggers bit(Trigger trigger) { return 1U << static_cast<unsigned>(trigger); }

enum class Origin : std::uint8_t {
  figure,   // drawn in Figure 5
  section,  // in the figure's notes, or in section 3.10's text
  extra,    // Linux only, and compatible with the RFC: orphans, cookies
  power,    // the lab: a host loses power
};

struct Edge {
  TcpState from;
  TcpState to;
  Triggers triggers;  // distinguish this edge from others between the same states
  Origin origin;
  std::string_view event;  // in the notation of the figure: "CLOSE / snd FIN"
  std::string_view source;
  std::string_view unseen{};  // why it cannot be seen here; empty if it can
};

/// Returns all edges. Those of Figure 5 come first, in the figure's order.
std::span<const Edge> state_diagram();

/// Returns the edge between these states with this trigger. If there is none, returns the only edge
/// between them, because a close may be seen with the next frame. Returns null if that is
/// ambiguous.
const Edge* find_edge(TcpState from, TcpState to, Trigger trigger);

enum class StateChangeKind : std::uint8_t {
  edge,    // one edge
  merged,  // several edges; the states between were not seen
  finding  // the diagram has no path between the states
};

/// Judges a state change. Several edges may be taken between two inspections of a kernel. So a
/// change is a finding only if no path explains it. Around a frame, a path may have one received
/// segment, with calls before and after it; otherwise any number. No path passes through CLOSED. A
/// connection begins with an edge: a SYN, a SYN cookie, or a reused TIME_WAIT.
StateChangeKind judge(const capture::State& change);

/// Returns "kang 10.0.0.1:40000 > 10.0.0.2:8080: LAST_ACK to ESTABLISHED around frame 7, which is
/// not in RFC 9293".
std::string describe_finding(const capture::State& change);

}  // namespace tcplab::reports
