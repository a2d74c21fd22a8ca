#include "audit/host_watch.hh"

#include <algorithm>

#include "audit/socket_options.hh"
#include "capture/event/call_names.hh"
#include "capture/follow/segment_header.hh"

namespace tcplab::audit {

using capture::Call;
using capture::Packet;
using capture::SegmentTrait;
using capture::State;
using capture::TcpState;

namespace {

/// The connection has ended in both directions. A power cut is no closing.
bool is_finished(const State& state) {
  return state.cause != capture::StateCause::power &&
         (state.to == TcpState::closed || state.to == TcpState::close ||
          state.to == TcpState::time_wait || state.to == TcpState::last_ack ||
          state.to == TcpState::closing);
}

}  // namespace

std::optional<base::Instant> WatchedConnection::closed() const {
  return fin_sent && !is_shut_down ? fin_sent : finished;
}

bool WatchedConnection::has_unsent() const {
  const capture::SequenceVariables& now = tracker.variables();
  return now.has_sent_syn && written > now.octets;
}

bool WatchedConnection::has_unacknowledged() const {
  const capture::SequenceVariables& now = tracker.variables();
  return now.is_known && (now.snd_una != now.snd_nxt || has_unsent());
}

void HostWatch::note(const capture::Event& event) {
  if (const auto* call = std::get_if<Call>(&event.body)) {
    if (call->host == host_) note_call(event, *call);
  } else if (const auto* state = std::get_if<State>(&event.body)) {
    if (state->host == host_) note_state(event, *state);
  } else if (const auto* packet = std::get_if<Packet>(&event.body)) {
    if (packet->protocol == "TCP") note_packet(*packet);
  }
}

/// The newest with these ends: a port may be used again.
WatchedConnection* HostWatch::find(const base::Endpoint& local, const base::Endpoint& remote) {
  const auto found = std::find_if(connections_.rbegin(), connections_.rend(), [&](const auto& one) {
    return one.local == local && one.remote == remote;
  });
  return found == connections_.rend() ? nullptr : &*found;
}

/// After a RST, the kernel reports only the port of the local end: tcp_disconnect().
WatchedConnection* HostWatch::find_port(std::uint16_t port, const base::Endpoint& remote) {
  const auto found = std::find_if(connections_.rbegin(), connections_.rend(), [&](const auto& one) {
    return one.local.port == port && one.remote == remote;
  });
  return found == connections_.rend() ? nullptr : &*found;
}

WatchedConnection* HostWatch::connection_of(const Call& call) {
  if (call.local && call.remote) {
    if (WatchedConnection* named = find(*call.local, *call.remote)) return named;
    if (WatchedConnection* same_ports = find_port(call.local->port, *call.remote))
      return same_ports;
  }
  const capture::TrackedSocketPointer socket = tracker_.socket_of(call);
  const auto ends = socket ? socket->ends() : std::nullopt;
  return ends ? find(ends->source, ends->destination) : nullptr;
}

const WatchedConnection* HostWatch::connection_of(const Call& call) const {
  return const_cast<HostWatch*>(this)->connection_of(call);
}

void HostWatch::note_state(const capture::Event& event, const State& state) {
  if (state.to == TcpState::listen || state.remote.port == 0) return;
  WatchedConnection* known = find(state.local, state.remote);
  const bool begins = state.to == TcpState::syn_sent || state.to == TcpState::syn_recv;
  if (known == nullptr || (begins && known->finished)) {
    connections_.push_back({.local = state.local, .remote = state.remote, .opened = event.at});
    known = &connections_.back();
    take_options(*known);
  }
  known->is_established |= state.to == TcpState::established;
  if (state.to == TcpState::established && !known->established_at) known->established_at = event.at;
  if (state.to == TcpState::fin_wait1 && !known->fin_sent) known->fin_sent = event.at;
  if (is_finished(state) && !known->finished) known->finished = event.at;
}

void HostWatch::note_call(const capture::Event& event, const Call& call) {
  const capture::CallTracker::Step step = tracker_.note(call, event.at);
  if (call.call == "connect" && call.remote && step.socket) connecting_[*call.remote] = step.socket;
  if (call.phase == capture::CallPhase::enter) return;
  const auto ends = step.socket ? step.socket->ends() : std::nullopt;
  if (WatchedConnection* connection = ends ? find(ends->source, ends->destination) : nullptr)
    take_options(*connection);
  note_transfer(event, call);
  if (call.call != "shutdown") return;
  if (WatchedConnection* connection = connection_of(call)) connection->is_shut_down = true;
}

/// The options that a socket had before it was connected are those of the connection. Until
/// connect(2) returns, its local end is not known: then they are those of the newest connect(2) to
/// that remote end.
void HostWatch::take_options(WatchedConnection& connection) {
  auto socket = tracker_.socket_of(host_, {connection.local, connection.remote});
  if (!socket && !connection.is_established) {
    const auto connecting = connecting_.find(connection.remote);
    if (connecting != connecting_.end()) socket = connecting->second;
  }
  if (!socket) return;
  connection.options = {};
  for (const capture::TrackedCallPointer& option : socket->options)
    note_option(connection.options, option->call);
}

void HostWatch::note_transfer(const capture::Event& event, const Call& call) {
  if (call.result <= 0) return;
  const bool is_write = capture::writes_octets(call);
  const bool is_read = !is_write && capture::receives_data(call.call);
  if (!is_read && !is_write) return;
  WatchedConnection* connection = connection_of(call);
  if (connection == nullptr) return;
  if (!is_read) connection->written += capture::octets_of(call);
  std::vector<WatchedRequest>& requests = connection->requests;
  if (is_read != is_server_) {  // it is part of an answer
    if (!requests.empty()) requests.back().is_answered = true;
  } else if (requests.empty() || requests.back().is_answered) {
    requests.push_back({.data = call.data, .at = is_server_ ? event.at : call.entered});
  }
}

void HostWatch::note_packet(const Packet& packet) {
  const bool is_own =
      packet.from == host_ && packet.fate != capture::Fate::forged && !capture::is_copy(packet);
  if (is_own && frames_.insert(packet.frame).second) note_sent(packet);
  const bool has_arrived = packet.delivered && packet.fate != capture::Fate::lost;
  if (packet.to == host_ && (has_arrived || packet.fate == capture::Fate::forged))
    note_received(packet);
}

void HostWatch::note_sent(const Packet& packet) {
  WatchedConnection* connection = find(packet.source, packet.destination);
  if (connection == nullptr) return;
  const capture::SegmentHeader header = capture::header_of(packet);
  const capture::SegmentTraits traits = connection->tracker.send(header);
  if (header.rst) return;
  connection->last_sent = traits;
  connection->last_sent_at = packet.sent;
  // A segment that the NIC cut, or a router would not take, goes again in parts.
  if (traits.has(SegmentTrait::retransmission) || traits.has(SegmentTrait::partial_retransmission))
    connection->last_retransmission = packet.sent;
}

void HostWatch::note_received(const Packet& packet) {
  WatchedConnection* connection = find(packet.destination, packet.source);
  if (connection == nullptr) return;
  const capture::SegmentHeader header = capture::header_of(packet);
  if (!header.rst) {
    connection->tracker.receive(header);
    const base::Instant arrived = packet.delivered.value_or(packet.sent);  // a forged one: at once
    connection->last_received = arrived;
    if (header.fin && !connection->fin_received) connection->fin_received = arrived;
    return;
  }
  if (connection->was_reset) return;
  connection->was_reset = true;
  connection->was_refused = !connection->is_established;
  if (packet.fate != capture::Fate::forged) connection->reset_answers = connection->last_sent;
}

}  // namespace tcplab::audit
