// The sockets of a host: asks its kernel for them, and keeps the known states of its connections.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "capture/kernel/sockets.hh"
#include "lab/programs/connection_table.hh"
#include "lab/programs/frame_states.hh"
#include "lab/programs/host_network.hh"

namespace tcplab::lab {

class HostSockets {
public:
  HostSockets(const HostMachine& machine, const HostNetwork& network, Timeline& timeline)
      : machine_(machine), network_(network), connections_(machine.name(), timeline) {}
  HostSockets(const HostSockets&) = delete;
  HostSockets& operator=(const HostSockets&) = delete;

  /// Takes the machine that has come up: its kernel can be asked from now on.
  void came_up();
  /// The host has lost its power, and with it all connections.
  void power_went();

  /// Takes the kernel's answer about a connection, given when it sent or received a frame, or asks
  /// now. The second function asks for all sockets.
  void look_at(const ConnectionKey& key, base::Instant at, const Cause& cause);
  void look_at_all(const Cause& cause);
  /// Asks for all sockets if the kernel has destroyed any since the last time.
  void look_at_destroyed();
  /// Asks only for listening sockets, so that its cost does not depend on the connections.
  void look_at_listeners();
  /// Takes a frame that the host has sent or received. If nobody can ask its TCP stack, its states
  /// follow from its frames.
  void note_frame(const capture::DecodedFrame& frame, bool is_sent, base::Instant at,
                  std::uint64_t number);
  /// False without power, and for a TCP stack that is not its kernel's.
  bool can_ask() const { return table_ != nullptr; }
  int destroy_descriptor() const { return table_->destroy_descriptor(); }

  /// Returns when the next time-wait socket (TIME_WAIT, orphaned FIN_WAIT2) expires, if any.
  std::optional<base::Instant> next_expiry() const;
  /// Returns when the first timer of any socket expires, as of the last look at all;
  /// base::Instant::max() if none runs. Its socket may end without a frame or a report of the
  /// kernel: if its program still has it, or if it is none yet.
  base::Instant first_timer() const;

  /// Returns the connection's retransmission timeout before back-off (tcp(7), TCP_INFO).
  std::optional<base::nanoseconds> retransmission_timeout(const ConnectionKey& key) const;
  /// Asks the kernel about one connection; nothing if it has no such connection, or has no power.
  std::optional<capture::SocketDetail> detail(const ConnectionKey& key) const;
  /// Asks the kernel about all its known connections.
  std::vector<capture::SocketDetail> details() const;

  ConnectionTable& connections() { return connections_; }
  const ConnectionTable& connections() const { return connections_; }

private:
  void observe(const ConnectionKey& key, const std::optional<capture::SocketDetail>& found,
               base::Instant at, const Cause& cause);
  template <typename Chosen>
  std::optional<base::Instant> first_of(const Chosen& chosen) const;

  const HostMachine& machine_;
  const HostNetwork& network_;
  ConnectionTable connections_;
  std::unique_ptr<capture::SocketTable> table_;  // null: see can_ask()
  FrameStates frame_states_;
  base::Instant looked_at_{};
};

}  // namespace tcplab::lab
