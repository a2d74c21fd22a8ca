// What a host's kernel knows of one connection, as far as the wire and sock_diag(7) show it.
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
  /// A frame that its host has sent; and one that has reached its host.
  void sends(const capture::Packet& packet);
  void receives(const capture::Packet& packet);

  bool is(const capture::Endpoint& local, const capture::Endpoint& remote) const {
    return local_ == local && remote_ == remote;
  }
  const capture::Endpoint& local() const { return local_; }
  const capture::Endpoint& remote() const { return remote_; }
  capture::TcpState state() const { return state_; }
  /// There is, or was, a connection: it has been in some state.
  bool has_been() const { return has_been_; }
  bool lives() const { return has_been_ && state_ != capture::TcpState::closed; }
  bool listens() const { return state_ == capture::TcpState::listen; }
  /// It has lost its connection with its host's power.
  bool lost_with_power() const { return lost_with_power_; }

  /// It ended by a RST from its peer.
  bool was_reset() const { return was_reset_ && !lives(); }

  /// "ESTABLISHED with kodos:8080, 22 bytes unacknowledged, sent 3 times".
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
  std::uint32_t next_ = 0;            // behind the last that it sent
  std::uint32_t unacknowledged_ = 0;  // the first that is not acknowledged
  std::uint32_t controls_ = 0;        // SYN and FIN among what is not: they count, and are no bytes
  int repetitions_ = 0;               // of what is unacknowledged
  std::set<std::uint64_t> in_the_air_;  // held frames: told once more when they are released
};

}  // namespace tcplab::reports
