// A failure audit: what happened to one request when the network failed, for each failure at each
// moment. A cell is one run, and everything in it comes from the run's events. Here are values
// only; audit_words.hh has the words.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::audit {

/// How a program learned of a failure.
enum class NoticedBy : std::uint8_t {
  error,          // a call failed, or SO_ERROR gave an error
  end_of_stream,  // it read the end of the stream: the peer has closed
  hang_up,        // poll(2) or epoll_wait(2) reported ERR or HUP, and the program asked no further
  own_timer,      // its wait, or SO_RCVTIMEO, was over
  closed,         // it closed the connection; no call had failed and no wait that we saw was over
  ended,          // it ended; no call had failed
};

struct Noticed {
  NoticedBy by = NoticedBy::error;
  base::nanoseconds after{};                   // since the failure
  std::string call{};                          // empty if by `ended`
  int error = 0;                               // by `error`: errno
  std::optional<base::nanoseconds> timeout{};  // by `own_timer`: of the wait that was over
  std::uint64_t event = 0;                     // its number in the run
};

/// What a program, or tcplab, has set on a socket with setsockopt(2); empty: not set, so the
/// kernel's default.
struct SocketOptions {
  std::optional<bool> keepalive{};                  // SO_KEEPALIVE
  std::optional<int> idle{};                        // TCP_KEEPIDLE, in seconds
  std::optional<int> interval{};                    // TCP_KEEPINTVL, in seconds
  std::optional<int> count{};                       // TCP_KEEPCNT
  std::optional<base::nanoseconds> user_timeout{};  // TCP_USER_TIMEOUT
  std::optional<int> syn_count{};                   // TCP_SYNCNT
  std::set<std::string> by_lab{};                   // the names of those that tcplab has set

  bool operator==(const SocketOptions&) const = default;
};

/// Which timer or frame decided when the client noticed, or what it still waits for.
enum class Reason : std::uint8_t {
  not_known,        // the events do not show it
  nothing,          // nothing had to be noticed
  syn_timeout,      // the kernel gave up its SYN: tcp_syn_retries, TCP_SYNCNT
  retransmissions,  // the kernel gave up unacknowledged data: tcp_retries2
  user_timeout,     // the same, after TCP_USER_TIMEOUT
  keepalive,        // no keepalive probe was answered
  probe_reset,      // the peer, which had forgotten the connection, answered a keepalive probe: RST
  data_reset,       // the same, and data or its retransmission was answered
  reset,            // a RST that answers none of the client's segments
  refused,          // a RST answered the SYN
  unreachable,      // an ICMP error said so
  no_neighbour,     // the next hop did not answer ARP or neighbour solicitation
  end_of_stream,    // a FIN
  own_timer,        // the program's own
  own_end,          // the program closed or ended, and no event says why
  retransmitted,    // recovered: a retransmission got through
  name_lookup,      // DNS replied late, or not
  // It hangs. What it waits for:
  waits_for_name,             // DNS has not replied
  waits_for_syn,              // the kernel still retransmits the SYN
  waits_for_retransmissions,  // the kernel still retransmits
  waits_for_keepalive,        // keepalive is on, and has not given up yet
  server_retransmits,         // the client has all that arrived; the server's kernel retransmits
  peer_answers,               // the peer's kernel answers, but its program does not
  zero_window,                // the peer's window is closed, and its kernel answers the probes
  waits_for_own_timer,        // only a timer of the program would end it
  forever,                    // nothing would ever end it
};

/// A change that would help.
enum class Advice : std::uint8_t {
  set_keepalive,            // short keepalive: the program waits, and has sent all
  set_user_timeout,         // TCP_USER_TIMEOUT: data is unacknowledged, so keepalive does not run
  set_application_timeout,  // the peer's kernel is alive: only the program can notice
  set_connect_timeout,
  retry_once,            // a new connection would have worked
  make_repeatable,       // the request was sent twice
  keep_first_error,      // the error that the user saw is of a later attempt
  set_server_keepalive,  // the server still keeps the connection of a client that is gone
  set_server_timeout,    // the same, of a client that is frozen
};

/// One run: one failure at one moment.
struct Cell {
  std::string failure;  // "power-off"; empty in the baseline
  std::string failure_title;
  std::string moment;  // "waiting"
  std::string moment_title;
  std::string side;    // "client", "server" or "path"
  std::string client;  // hosts
  std::string server;
  std::string command;         // the client's command line; empty if no program started
  std::string library{};       // that the client's traceback names, or of another cell; else empty
  std::string server_command;  // of the program that had the connection
  bool has_stock_timers = false;  // the kernel's own, so its defaults are known
  base::nanoseconds limit{};
  std::string run;   // the name of the run's folder; cell_of() takes the scenario's name
  std::string page;  // the address of the run's page, for links; the caller fills it

  bool is_judged = false;  // false: the run ended before
  capture::AuditOutcome outcome = capture::AuditOutcome::not_reached;
  std::string text;     // what the user saw: the last line
  std::string trouble;  // why the run itself did not work; empty if it did

  std::optional<capture::AuditReaction> reaction{};  // to the command of --after, if it came
  bool ends_after_limit = false;            // the failure would have ended only after the limit
  bool has_failure_ended = false;           // before the request was judged
  std::optional<base::nanoseconds> took{};  // from the failure, or the start, to the end
  std::optional<base::nanoseconds> took_after{};  // from the end of the failure
  std::optional<Noticed> noticed{};               // by the client
  std::optional<Noticed> server_noticed{};
  bool is_client_gone = false;         // its host or program was the failure: the server is asked
  bool is_client_frozen = false;       // its kernel answers for it
  bool can_server_ask_client = false;  // the client lives, and its kernel answers the server
  bool had_server_connection = false;  // one was open at the server when the failure came
  std::optional<base::nanoseconds>
      server_let_go{};  // when the server's last such socket was closed

  SocketOptions options{};  // of the connection that the failure hit
  Reason reason = Reason::not_known;
  bool waits_with_timeout = false;  // it hangs in a call that has a timeout
  std::vector<Advice> advice{};

  int connections = 0;     // that the client has opened
  int opened_again = 0;    // after the failure, beyond the first
  int sent_again = 0;      // requests without an answer that were sent on another connection
  int received_again = 0;  // of these, that the server's program has read once more
  std::optional<base::nanoseconds> name_lookup{};  // how long DNS took, if it was slow and replied
  std::optional<int> first_error{};  // if the user's text is about a later error: the one before it
};

struct Audit {
  std::string title;
  std::vector<Cell> cells{};  // the baseline first, if there is one
};

/// Whether a run is a cell of an audit.
bool is_cell(const std::vector<capture::Event>& events);

/// Returns the cell that the events of a run describe. They are in the order of events.jsonl.
Cell cell_of(std::vector<capture::Event> events);

}  // namespace tcplab::audit
