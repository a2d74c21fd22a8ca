// One observed thing, as a plain value. A run is a sequence of events, and reports show nothing
// else. Facts are enums, numbers and names here; reports turn them into English.
// docs/events.md describes the same events as JSON; event_json.hh converts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"
#include "capture/event/action_verb.hh"
#include "capture/event/audit_note.hh"
#include "capture/event/injection.hh"
#include "capture/event/probe.hh"
#include "capture/event/question.hh"
#include "capture/event/sending.hh"

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
  close = 7,  // a socket without a connection: only bound, or finished
  close_wait = 8,
  last_ack = 9,
  listen = 10,
  closing = 11,
};
inline constexpr std::size_t kTcpStates = 12;

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
  std::string timers;                 // "fast" or "stock"
  std::string kernel;                 // uname -r
  std::vector<std::string> stacks{};  // of hosts with a TCP stack of their own: "kang=lwip"
  /// What is unusual about the machine, such as which congestion control its namespaces lack.
  std::vector<std::string> machine{};
  nanoseconds wall_offset{};
  std::string script;  // the text of the script; empty if it is not known
  std::optional<Question> quiz;
};

struct Interface {
  std::string name;  // "eth0"
  std::string mac;   // "02:00:00:00:00:01"
  std::vector<std::string> addresses;
};

/// A host came up, for the first time or again.
struct HostUp {
  std::string host;
  int incarnation = 1;
  std::vector<Interface> interfaces;
  bool is_peer = false;  // has no kernel: the script sends its segments
};

enum class ProgramChange : std::uint8_t {
  started,
  exited,
  killed,
  wrote,
  calls_unseen,  // it makes calls that the tracer cannot see
};

/// A program on a host started, ended, or wrote something.
struct Program {
  std::string host;
  std::string program;  // unique in the run: "dnc", "dnc-2"
  int pid = 0;          // in the lab's pid namespace
  ProgramChange change = ProgramChange::started;
  std::string command;  // started: the command line
  int code = 0;         // exited: the exit status; killed: the signal
  std::string stream;   // wrote: "stdout" or "stderr"
  std::string text;     // wrote; calls_unseen: why
};

enum class CallPhase : std::uint8_t { enter, leave };

/// A member of a C struct, and its value: {"l_onoff", 1}.
using StructMember = std::pair<std::string, std::int64_t>;

/// What getsockopt(2) or ioctl(2) stored: a number, a name ("cubic"), or the members of a struct.
using StoredValue =
    std::variant<std::monostate, std::int64_t, std::string, std::vector<StructMember>>;

/// What poll(2), select(2) or epoll_wait(2) reported about one TCP socket: revents of poll(2).
struct ReadyDescriptor {
  int fd = -1;
  int events = 0;

  bool operator==(const ReadyDescriptor&) const = default;
};

/// A system call: one event when a program enters it, one when it returns.
struct Call {
  std::string host;
  std::string program;
  int pid = 0;
  int tid = 0;           // the thread; 0: the process's first
  std::uint64_t id = 0;  // the same in both phases, counting up in one process
  CallPhase phase = CallPhase::enter;
  std::string call;       // "read"
  int fd = -1;            // the descriptor it is about, if one
  int source_fd = -1;     // splice: where the octets come from
  std::string arguments;  // the rest, as text: "{fd 0 IN} {fd 3 IN}, timeout none"
  Instant entered{};      // leave: when it was entered
  std::int64_t result = 0;
  int error = 0;          // errno when result is -1; for getsockopt SO_ERROR the option's value
  StoredValue value;      // getsockopt, ioctl; empty if SO_ERROR had an error
  int revents = 0;        // poll: the socket's revents
  int stdin_revents = 0;  // poll: standard input's
  std::vector<ReadyDescriptor> ready;  // of a traced program: all its TCP sockets in the result
  std::string data;                    // read, write: the first bytes, escaped as in C
  // The connection. dnc: of connect and accept; the tracer: of every call on a socket.
  std::optional<Endpoint> local;
  std::optional<Endpoint> remote;
  std::vector<std::string> stack;  // where the program made the call, the innermost frame first
  bool injected = false;           // the result is not the kernel's alone: a scenario changed it
  nanoseconds injected_delay{};    // how long a scenario has kept the call from the kernel
  bool by_lab = false;             // tcplab made the call on the program's socket, not the program
};

/// What sock_diag(7) reported about one connection.
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

/// How a change of state was observed.
enum class StateCause : std::uint8_t {
  frame,      // before or after a frame
  poll,       // by the periodic check
  destroyed,  // the kernel reported that it freed the socket
  power,      // the host lost its power
};

/// A connection of a host went from one state to another.
struct State {
  std::string host;
  Endpoint local;
  Endpoint remote;
  TcpState from = TcpState::closed;
  TcpState to = TcpState::closed;
  StateCause cause = StateCause::poll;
  std::uint64_t frame = 0;  // cause frame: its number
  std::optional<Socket> socket;
  bool is_concluded = false;  // from the frames of the host: nobody can ask its TCP stack
};

enum class Fate : std::uint8_t { delivered, lost, held, forged, delayed };

enum class EffectKind : std::uint8_t {
  delayed,
  held,
  reordered,
  duplicated,  // the frame that the copies were made of
  copied,      // one of the copies
  corrupted,
  truncated,
  lost,        // by a fault
  too_long,    // lost: longer than a fault's MTU
  queue_full,  // lost: no room in the queue of a slow link
  forged,      // sent by the lab
  stepped,     // a person let it pass
  lost_by_hand,
  set_aside,        // lost: a retransmission, sent while a person had stopped the same segment
  sender_gone,      // lost: its sender left the wire before it arrived
  receiver_gone,    // lost: its receiver is not on the wire
  receiver_down,    // lost: its receiver's NIC is down
  nobody_else,      // lost: for all, and nobody else is on the wire
  unknown_address,  // lost: no NIC has its destination address
};

/// What happened to a frame on the wire.
struct Effect {
  EffectKind kind = EffectKind::delayed;
  std::optional<FaultRule> fault{};  // what did it; nothing if no fault did
  nanoseconds span{};                // delayed: by; lost_by_hand: after
  std::uint64_t frame = 0;           // copied: of which frame; 0 if that is not known
  std::uint32_t offset = 0;          // corrupted: which byte of the segment
  std::uint32_t before = 0;          // corrupted: the byte; truncated, too_long: bytes
  std::uint32_t after = 0;

  bool operator==(const Effect&) const = default;
};

/// A range of sequence numbers that a SACK option reports as received (RFC 2018).
struct SackRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const SackRange&) const = default;
};

/// A frame on the wire. A held or delayed one has two events: when it is sent, and when its fate
/// is final.
struct Packet {
  std::uint64_t frame = 0;  // counts up from 1 in a run
  std::string from;         // host
  std::string to;           // host; empty for broadcast
  Instant sent{};
  std::optional<Instant> delivered;
  Fate fate = Fate::delivered;
  std::vector<Effect> effects;  // in order
  std::string protocol;         // "TCP", "ARP", "ICMP", "ICMPv6", "UDP", ...
  Endpoint source;
  Endpoint destination;
  std::string flags;  // as tcpdump writes them: "S", "S.", ".", "P.", "F.", "R", "R."
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint32_t window = 0;                  // as in the header, not scaled
  std::optional<std::uint8_t> window_scale;  // of a SYN, if it has the option (RFC 7323)
  std::vector<SackRange> sack;
  std::optional<std::uint32_t> tsval;    // of the timestamps option (RFC 7323), if it has it
  std::optional<std::uint32_t> tsecr;    // what that option echoes
  std::optional<std::string> fast_open;  // the cookie in hex (RFC 7413); "" asks for one
  std::uint32_t length = 0;              // TCP, UDP: payload bytes; else: frame bytes
  std::uint32_t segments = 0;  // TCP: how many the frame stands for (offload); 0: it is one
  std::string summary;         // one line for people: "F. seq 1 ack 23 win 502"
};

bool has_effect(const Packet& packet, EffectKind kind);

/// True if the receiver does not get the bytes that were sent.
bool is_altered(const Packet& packet);

/// True for a frame that the lab made, whatever became of it.
bool is_forged(const Packet& packet);

/// True for a copy that a fault or a path made.
bool is_copy(const Packet& packet);

enum class KernelAction : std::uint8_t {
  drop,
  reset,
  reset_received,
  error,
  retransmit,
  retransmit_synack,
  bad_checksum
};

/// What a host's kernel reported through its tracepoints (`tcplab run --tracepoints`).
struct Kernel {
  std::string host;
  KernelAction what = KernelAction::drop;
  Endpoint local;  // drop: the frame's destination
  Endpoint remote;
  std::string reason;             // drop, reset: the kernel's own word, "NO_SOCKET"
  int error = 0;                  // error: what the program will get; retransmit: why not sent
  std::optional<TcpState> state;  // reset, retransmit: of the socket, if there is one
  std::uint64_t frame = 0;        // while it processed that frame; 0: a timer or a system call
};

/// When a wire is flooded, frames that cannot change a state are counted, not listed.
struct Flood {
  std::string from;
  std::string to;
  std::uint64_t frames = 0;
  std::uint64_t bytes = 0;
  nanoseconds span{};
};

/// The scenario did something. Which members are filled depends on the verb.
struct Action {
  std::string host;  // empty: the lab itself
  ActionVerb verb = ActionVerb::wait;
  std::string program;             // type ... thaw: to which program
  int signal = 0;                  // stop ... thaw: which signal it got
  std::string text;                // type; nft: the ruleset; forge: the frame
  std::string name;                // sysctl
  std::string value;               // sysctl; mtu; link: "up", "down"; route: "blackhole", ...
  std::string nic;                 // unplug, plug: empty for all; mtu, link, add_address
  std::string address;             // add_address, remove_address; route: the destination
  std::string gateway;             // route
  std::string from;                // forge: the sender that it shows, a host or an address
  nanoseconds span{};              // wait, idle; crash: until it is back
  nanoseconds story_span{};        // idle: in the story, if fast timers shorten it
  std::optional<FaultRule> fault;  // faults; release, remove
  std::optional<InjectionRule> injection;  // inject, remove
  int line = 0;                            // of the script
};

/// An expectation of the scenario was met, or failed.
struct Verdict {
  /// The last lines that a program has written on one stream.
  struct LastLines {
    std::string host;
    std::string program;
    std::string stream;  // "stdout" or "stderr"
    std::string text;
  };
  bool passed = false;
  std::string expected;
  std::string seen;
  std::string nearest;  // failed: the nearest miss
  std::string host;     // the subject's
  std::string script;
  int line = 0;
  std::string code;                     // the script's line
  std::vector<LastLines> last_lines{};  // failed: what no expectation has matched
  bool judges_requirement = false;      // what `tcplab conform` tells from it: met, or not met
};

/// An expectation that was not checked, because it holds only on newer kernels than the hosts have.
struct Unchecked {
  std::string since;  // the version from which on it holds: "6.5"
  std::string expected;
  std::string host;  // the subject's
  std::string script;
  int line = 0;
  std::string code;  // the script's line
};

/// The scenario printed a line for its reader.
struct Note {
  std::string text;
};

enum class Outcome : std::uint8_t { passed, failed, skipped, bad_script, broken };

/// The last event of a run.
struct RunEnd {
  Outcome outcome = Outcome::passed;
  std::string reason;  // unless it passed: one line
  nanoseconds duration{};
  std::vector<Verdict::LastLines> last_lines{};  // of programs, if the script was wrong
  bool requirement_does_not_arise = false;       // skipped: by lab:does_not_arise
};

using Body = std::variant<RunStart, HostUp, Program, Call, Probe, State, Packet, Sending, Flood,
                          Action, Verdict, Note, Kernel, AuditNote, Unchecked, RunEnd>;

struct Event {
  std::uint64_t number = 0;  // position in the run, from 1
  Instant at{};              // when it happened; a timeline is written in order of arrival
  Body body;
};

/// "IN|ERR|HUP" for poll(2)'s revents; "0" for none.
std::string poll_events(int revents);
/// Reads "IN|HUP", "0x11" or "POLLIN". Nothing for an unknown name.
std::optional<int> parse_poll_events(std::string_view text);

}  // namespace tcplab::capture
