// One thing that was observed, as a plain value. A run is a sequence of these; everything
// that a report shows comes from them and from nothing else. docs/events.md is the same
// thing as JSON; event_json.hh converts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::capture {

using base::Endpoint;
using base::Instant;
using base::nanoseconds;

/// TCP states as Linux numbers them (include/net/tcp_states.h). `closed` is RFC 9293's CLOSED:
/// there is no connection (section 3.3.2).
enum class TcpState : std::uint8_t {
  closed = 0,
  established = 1,
  syn_sent = 2,
  syn_recv = 3,
  fin_wait1 = 4,
  fin_wait2 = 5,
  time_wait = 6,
  close = 7,  // a socket that is bound or spent, without a connection
  close_wait = 8,
  last_ack = 9,
  listen = 10,
  closing = 11,
};

/// "FIN_WAIT1", as ss and /proc/net/tcp's readers spell it; "CLOSED" for no connection.
std::string_view name(TcpState state);
std::optional<TcpState> tcp_state(std::string_view name);

/// The first event of every run: what was run, on what.
struct RunStart {
  std::string scenario;  // "power-cycle"
  std::string title;
  std::string asks;     // the question
  std::string article;  // what the article saw, if it has this experiment
  std::string here;     // what this kernel does
  std::string why;      // the explanation, with its sources
  std::string source;   // where the question comes from
  std::string file;     // path of the script
  std::vector<std::string> tags;
  base::Family family = base::Family::ipv4;
  std::string timers;  // "fast" or "stock"
  std::string kernel;  // uname -r
  nanoseconds wall_offset{};
};

struct Interface {
  std::string name;  // "eth0"
  std::string mac;   // "02:00:00:00:00:01"
  std::vector<std::string> addresses;
};

/// A host came up: at the start, or again after its power came back.
struct HostUp {
  std::string host;
  int incarnation = 1;
  std::vector<Interface> interfaces;
};

enum class ProgramChange : std::uint8_t { started, exited, killed, wrote };

/// A program on a host started, ended, or wrote something.
struct Program {
  std::string host;
  std::string program;  // unique in the run: "dnc", "dnc-2"
  int pid = 0;          // in the host's own pid namespace's parent: the lab's
  ProgramChange change = ProgramChange::started;
  std::string command;  // started: the command line
  int code = 0;         // exited: the exit status; killed: the signal
  std::string stream;   // wrote: "stdout" or "stderr"
  std::string text;     // wrote
};

enum class CallPhase : std::uint8_t { enter, leave };

/// A system call: one event when it is entered, one when it has returned.
struct Call {
  std::string host;
  std::string program;
  int pid = 0;
  std::uint64_t id = 0;  // the same in both phases, counting up in one process
  CallPhase phase = CallPhase::enter;
  std::string call;       // "read"
  int fd = -1;            // the descriptor it is about, if one
  std::string arguments;  // the rest, as text: "{fd 0 IN} {fd 3 IN}, timeout none"
  Instant entered{};      // leave: when it was entered
  std::int64_t result = 0;
  int error = 0;          // errno when result is -1; for getsockopt SO_ERROR the option's value
  int revents = 0;        // poll: the socket's revents
  int stdin_revents = 0;  // poll: standard input's
  std::string data;       // read, write: the first bytes, escaped as in C
  std::optional<Endpoint> local;  // connect, accept: the connection that it made
  std::optional<Endpoint> remote;
};

/// What the kernel's table said of one connection (sock_diag(7)).
struct Socket {
  TcpState state = TcpState::closed;
  Endpoint local;
  Endpoint remote;
  std::uint32_t receive_queue = 0;  // bytes; for LISTEN: connections waiting for accept
  std::uint32_t send_queue = 0;     // bytes; for LISTEN: the backlog
  std::uint8_t timer = 0;  // idiag_timer: 0 none, 1 retransmit, 2 keepalive, 3 time-wait, 4 probe
  std::uint32_t timer_expires_ms = 0;
  std::uint8_t retransmits = 0;
  std::uint32_t inode = 0;  // 0: no process holds it (not accepted yet, or orphaned)
};

/// A connection of a host went from one state to another.
struct State {
  std::string host;
  Endpoint local;
  Endpoint remote;
  TcpState from = TcpState::closed;
  TcpState to = TcpState::closed;
  std::string cause;        // "frame", "poll" (seen by the slow poll), "destroyed", "power"
  std::uint64_t frame = 0;  // cause "frame": its number
  std::optional<Socket> socket;
};

enum class Fate : std::uint8_t { delivered, lost, held, forged, delayed };

/// A frame on the wire. One that is held or delayed has two events: that, and what came of it.
struct Packet {
  std::uint64_t frame = 0;  // counts up from 1 in a run
  std::string from;         // host
  std::string to;           // host; empty for broadcast
  Instant sent{};
  std::optional<Instant> delivered;
  Fate fate = Fate::delivered;
  std::string why;       // by what, and what else faults did to it
  std::string protocol;  // "TCP", "ARP", "ICMP", "ICMPv6", "UDP", ...
  Endpoint source;
  Endpoint destination;
  std::string flags;  // as tcpdump writes them: "S", "S.", ".", "P.", "F.", "R", "R."
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint32_t window = 0;  // as in the header, not scaled
  std::uint32_t length = 0;  // TCP, UDP: payload bytes; else: frame bytes
  std::string summary;       // one line for people: "F. seq 1 ack 23 win 502"
};

enum class KernelAction : std::uint8_t {
  drop,
  reset,
  reset_received,
  error,
  retransmit,
  retransmit_synack,
  bad_checksum
};

/// What a host's kernel said of itself through its tracepoints (`tcplab run --kernel`).
struct Kernel {
  std::string host;
  KernelAction what = KernelAction::drop;
  Endpoint local;  // drop: the frame's destination
  Endpoint remote;
  std::string reason;             // drop, reset: the kernel's own word, "NO_SOCKET"
  int error = 0;                  // error: what the program will be told; retransmit: what failed
  std::optional<TcpState> state;  // reset, retransmit: of the socket, if there is one
  std::uint64_t frame = 0;        // while it took that frame; 0: of its own accord
};

/// When a wire is flooded, frames that cannot change a state are counted, not listed.
struct Flood {
  std::string from;
  std::string to;
  std::uint64_t frames = 0;
  std::uint64_t bytes = 0;
  nanoseconds span{};
};

/// The scenario did something.
struct Action {
  std::string host;  // empty: the lab itself
  std::string verb;  // "power_cycle"
  std::string detail;
  int line = 0;  // of the script
};

/// The scenario judged something.
struct Verdict {
  bool passed = false;
  std::string expected;
  std::string seen;
  std::string nearest;  // failed: the nearest miss
  std::string host;     // the subject's
  std::string script;
  int line = 0;
  std::string code;  // the script's line
};

/// The scenario says something to its reader.
struct Note {
  std::string text;
};

enum class Outcome : std::uint8_t { passed, failed, skipped, bad_script, broken };

/// The last event of a run.
struct RunEnd {
  Outcome outcome = Outcome::passed;
  std::string reason;  // unless it passed: one line
  nanoseconds duration{};
};

using Body = std::variant<RunStart, HostUp, Program, Call, State, Packet, Flood, Action, Verdict,
                          Note, Kernel, RunEnd>;

struct Event {
  std::uint64_t number = 0;  // position in the run, from 1
  Instant at{};              // when it happened; a timeline is written in order of arrival
  Body body;
};

/// "IN|ERR|HUP" for poll(2)'s revents; "0" for none.
std::string poll_events(int revents);
/// The inverse; accepts "IN|HUP", "0x11", "POLLIN". Nothing for a name that it does not know.
std::optional<int> parse_poll_events(std::string_view text);

}  // namespace tcplab::capture
