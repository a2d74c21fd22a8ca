// Follows the connections of one host through a run: their options, their segments, and the
// requests that its programs sent and read on them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "audit/audit.hh"
#include "capture/follow/call_tracker.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::audit {

/// What a program sent after it had read an answer, or first: how it begins.
struct WatchedRequest {
  std::string data{};  // the first bytes, as in the event
  base::Instant at{};
  bool is_answered = false;  // something was read after it (or, at a server, written)
};

/// A connection, seen from one end.
struct WatchedConnection {
  base::Endpoint local;
  base::Endpoint remote;
  base::Instant opened{};
  bool is_established = false;
  std::optional<base::Instant> established_at{};
  std::optional<base::Instant> fin_sent{};  // FIN_WAIT1
  std::optional<base::Instant> finished{};  // both sides have closed, or its kernel freed it
  bool is_shut_down = false;                // by shutdown(2): the program still has it
  SocketOptions options{};
  capture::SequenceTracker tracker{capture::Vantage::sender};
  std::optional<capture::SegmentTraits> last_sent{};  // this end's last segment
  std::optional<base::Instant> last_sent_at{};
  std::optional<base::Instant> last_retransmission{};
  std::optional<base::Instant> last_received{};
  std::optional<capture::SegmentTraits> reset_answers{};  // this end's segment before a RST came
  bool was_reset = false;
  bool was_refused = false;  // a RST for its SYN
  std::optional<base::Instant> fin_received{};
  std::vector<WatchedRequest> requests{};

  /// Returns when its programs had all closed it, or its kernel freed it. One close(2) is not
  /// enough: after a fork(2) each process has the socket.
  std::optional<base::Instant> closed() const;
  /// Whether both ends are on the host.
  bool is_to_itself() const { return local.address == remote.address; }
  std::uint64_t written = 0;  // octets that its programs gave its kernel to send
  /// Whether its kernel has data that was not on the wire: the peer's window is closed, or the host
  /// has no cable, and then none of its frames is seen.
  bool has_unsent() const;
  /// Whether the peer has not acknowledged everything that this end sent, or has to send.
  bool has_unacknowledged() const;
};

class HostWatch {
public:
  /// `is_server`: its requests are those that it reads.
  HostWatch(std::string host, bool is_server) : host_(std::move(host)), is_server_(is_server) {}

  void note(const capture::Event& event);

  const std::vector<WatchedConnection>& connections() const { return connections_; }
  /// Returns the connection that a call is about; null if it names none.
  const WatchedConnection* connection_of(const capture::Call& call) const;
  /// Returns the calls of its programs that have not returned, in any order.
  std::vector<capture::TrackedCallPointer> calls_under_way() const {
    return tracker_.under_way(host_);
  }
  /// Returns the connection that was opened last; null if there was none.
  const WatchedConnection* last() const {
    return connections_.empty() ? nullptr : &connections_.back();
  }

private:
  void note_call(const capture::Event& event, const capture::Call& call);
  void take_options(WatchedConnection& connection);
  void note_transfer(const capture::Event& event, const capture::Call& call);
  void note_state(const capture::Event& event, const capture::State& state);
  void note_packet(const capture::Packet& packet);
  void note_sent(const capture::Packet& packet);
  void note_received(const capture::Packet& packet);
  WatchedConnection* find(const base::Endpoint& local, const base::Endpoint& remote);
  WatchedConnection* find_port(std::uint16_t port, const base::Endpoint& remote);
  WatchedConnection* connection_of(const capture::Call& call);

  std::string host_;
  bool is_server_;
  std::vector<WatchedConnection> connections_{};
  capture::CallTracker tracker_;
  std::set<std::uint64_t> frames_;                                      // that this host sent
  std::map<base::Endpoint, capture::TrackedSocketPointer> connecting_;  // by the remote end
};

}  // namespace tcplab::audit
