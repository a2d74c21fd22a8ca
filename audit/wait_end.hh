// What ends a wait in a call on a connection, and when: from what a kernel knows at one moment. A
// rule claims only what these facts prove. What the peer does is not among them, so each end has
// its condition.
#pragma once

#include <cstdint>
#include <optional>

#include "audit/retransmission_times.hh"
#include "base/clock.hh"
#include "capture/event/event.hh"

namespace tcplab::audit {

/// What a kernel knows about a socket: struct tcp_info in linux/tcp.h, or ss(8).
struct SocketFacts {
  capture::TcpState state = capture::TcpState::closed;
  std::uint64_t unread = 0;           // octets; of a listener: connections that wait for accept(2)
  std::uint64_t unacknowledged = 0;   // octets that the program has written
  std::uint32_t in_flight = 0;        // segments that are sent and not acknowledged
  std::uint32_t retransmissions = 0;  // timeouts since the peer has acknowledged something
  std::uint32_t probes = 0;           // keepalive or window probes without an answer
  std::optional<std::uint32_t> peer_window;  // octets
  base::nanoseconds rto{};
  bool has_sent = false;                            // data
  bool has_received = false;                        // data
  std::optional<base::nanoseconds> since_sent;      // data; without any: since it began
  std::optional<base::nanoseconds> since_received;  // data; without any: since it began
  std::optional<base::nanoseconds> since_heard;     // any segment
  std::optional<base::nanoseconds> until_timer;     // the kernel's next timer, as ss says
  bool has_keepalive_timer = false;                 // that timer is of keepalive
  bool has_window_timer = false;                    // that timer is of window probes
  bool has_state_timer = false;                     // that timer ends FIN_WAIT2 or TIME_WAIT
  bool is_orphan = false;                           // no process has it any more
};

/// What its program has set; what is empty is not known.
struct TimeoutOptions {
  std::optional<bool> keepalive;
  std::optional<base::nanoseconds> idle;
  std::optional<base::nanoseconds> interval;
  std::optional<int> probes;
  std::optional<base::nanoseconds> user_timeout;     // 0: off
  std::optional<int> syn_retries;                    // TCP_SYNCNT; 0: the kernel's
  std::optional<base::nanoseconds> receive_timeout;  // 0: none
  std::optional<base::nanoseconds> send_timeout;     // 0: none
};

/// What a call waits for.
enum class Awaited : std::uint8_t {
  data,
  room,
  handshake,
  client,
  any,      // data or room
  failure,  // only an error or a hang-up: poll(2) without events
};

enum class WaitEndKind : std::uint8_t {
  not_connected,    // the socket has no connection, or none any more
  unread,           // data is there that the program has not read
  peer_closed,      // the peer has sent FIN, and the program has not closed
  both_closed,      // both ends have sent FIN; ours is not acknowledged
  kernel,           // the kernel alone has the connection, and ends it
  retransmissions,  // tcp_retries2
  user_timeout,     // TCP_USER_TIMEOUT
  syn,              // tcp_syn_retries, TCP_SYNCNT
  keepalive,        // if no probe is answered
  window,           // the peer's program reads, or no window probe is answered
  unsent,           // data waits in this host, and nothing is under way
  peer,             // only the peer: data, FIN or RST
  client,           // a client connects
};

/// Values only; reports/look has the words.
struct WaitEnd {
  WaitEndKind kind = WaitEndKind::peer;
  std::optional<base::nanoseconds> within;      // the wait ends then, if the peer stays silent
  std::optional<base::nanoseconds> next_probe;  // of keepalive
  /// Nothing of this machine ends it: if the peer is gone without a word, it lasts for ever.
  bool may_last_for_ever = false;
};

/// Whether a TCP_USER_TIMEOUT is set.
bool has_user_timeout(const TimeoutOptions& settings);

/// Looks at one socket, for which a call waits.
WaitEnd end_of_wait(const SocketFacts& facts, const TimeoutOptions& settings,
                    const KernelSettings& kernel, Awaited awaited);

}  // namespace tcplab::audit
