// The TCP state machine as data: RFC 9293 Figure 5, what its notes and section 3.10 add, and what
// Linux does besides. Every edge has its source. Values only: what was seen of it is coverage.hh's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::reports {

using capture::TcpState;

/// What the wire and the lab know of a transition's occasion.
enum class Trigger : std::uint8_t {
  received,       // a segment without RST
  received_rst,   //
  received_icmp,  // any frame that is not TCP
  sent,           // a segment without RST: a call, mostly
  sent_rst,       //
  alone,          // no frame: a timer, or a call that sends nothing
  power,          // the host lost its power
};

using Triggers = std::uint32_t;
constexpr Triggers bit(Trigger trigger) { return 1U << static_cast<unsigned>(trigger); }

enum class Origin : std::uint8_t {
  figure,   // drawn in Figure 5
  section,  // in the figure's notes, or in section 3.10's text
  extra,    // of Linux alone, and no contradiction: orphans, cookies
  power,    // the lab's: a host loses its power
};

struct Edge {
  TcpState from;
  TcpState to;
  Triggers triggers;  // those by which this edge is told from others between the same states
  Origin origin;
  std::string_view event;  // "CLOSE / snd FIN", as the figure writes
  std::string_view source;
  std::string_view unseen{};  // why it cannot be seen here; empty: it can
};

/// Figure 5's first, in the figure's order. Never changes.
std::span<const Edge> state_diagram();

/// The edge between these states with this trigger; else the only one between them, whatever was
/// seen at that moment (a close is seen with the frame that came next). Null: nobody can tell.
const Edge* find_edge(TcpState from, TcpState to, Trigger trigger);

enum class StateChangeKind : std::uint8_t {
  edge,    // one edge
  merged,  // several edges, of which the states between were not seen
  finding  // no way through the diagram leads from the one to the other
};

/// A look at a kernel may come after several steps: between two frames a program can close, and a
/// poll comes now and then. So a jump for which there are edges is no finding: around a frame, one
/// segment received and the calls before and after it; else any number. CLOSED is seen: nothing
/// passes through it, and what begins does so by an edge (a SYN, a SYN cookie, TIME_WAIT reused).
StateChangeKind judge(const capture::State& change);

/// "kang 10.0.0.1:40000 > 10.0.0.2:8080: LAST_ACK to ESTABLISHED around frame 7, which RFC 9293
/// does not have".
std::string describe_finding(const capture::State& change);

}  // namespace tcplab::reports
