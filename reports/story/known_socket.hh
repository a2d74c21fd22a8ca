// What a host's kernel knows about one connection, as seen on the wire and by sock_diag(7).
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "capture/event/event.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

class KnownSocket {
public:
  KnownSocket(const capture::Endpoint& local, const capture::Endpoint& remote)
      : local_(local), remote_(remote) {}

  void changes(const capture::State& state);
  /// Takes a frame that the host has sent, or that has reached it.
  void sends(const capture::Packet& packet);
  void receives(const capture::Packet& packet);

  bool is(const capture::Endpoint& local, const capture::Endpoint& remote) const {
    return local_ == local && remote_ == remote;
  }
  const capture::Endpoint& local() const { return local_; }
  const capture::Endpoint& remote() const { return remote_; }
  capture::TcpState state() const { return state_; }
  /// Returns whether the connection has ever been in a state.
  bool has_been() const { return has_been_; }
  bool lives() const { return has_been_ && state_ != capture::TcpState::closed; }
  bool listens() const { return state_ == capture::TcpState::listen; }
  /// Returns whether the connection ended because the host lost power.
  bool lost_with_power() const { return lost_with_power_; }

  /// Returns whether a RST from the peer ended the connection.
  bool was_reset() const { return was_reset_ && !lives(); }

  /// Returns "ESTABLISHED with kodos:8080, 22 bytes unacknowledged, retransmitted 3 times".
  std::string describe(const HostNames& names) const;

private:
  std::string burden() const;

  capture::Endpoint local_;
  capture::Endpoint remote_;
  capture::TcpState state_ = capture::TcpState::closed;
  bool has_been_ = false;
  bool lost_with_power_ = false;
  bool was_reset_ = false;
  bool knows_sequence_ = false;
  std::uint32_t next_ = 0;              // SND.NXT
  std::uint32_t unacknowledged_ = 0;    // SND.UNA
  std::uint32_t controls_ = 0;          // unacknowledged SYN and FIN: each counts as one byte
  int repetitions_ = 0;                 // retransmissions of unacknowledged data
  std::set<std::uint64_t> in_the_air_;  // held frames, which have a second event when released
};

}  // namespace tcplab::reports
