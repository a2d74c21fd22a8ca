#include "lab/programs/connection_table.hh"

#include <algorithm>
#include <set>

namespace tcplab::lab {

using capture::SendingInfo;
using capture::Socket;
using capture::TcpState;

namespace {

/// A socket that is neither a connection nor a listener has no state of RFC 9293.
bool is_connection_or_listener(const Socket& socket) {
  return socket.state != TcpState::close && socket.state != TcpState::closed;
}

/// Returns what a Sending event has of it.
SendingInfo shown(const SendingInfo& info) {
  return {.rto = info.rto,
          .rtt = info.rtt,
          .unacked = info.unacked,
          .lost = info.lost,
          .cwnd = info.cwnd,
          .ssthresh = info.ssthresh,
          .mss = info.mss,
          .window = info.window};
}

}  // namespace

void ConnectionTable::observe(const ConnectionKey& key, const std::optional<Socket>& socket,
                              base::Instant at, const Cause& cause) {
  const bool exists = socket && is_connection_or_listener(*socket);
  const auto known = sockets_.find(key);
  if (!exists) {
    if (known == sockets_.end()) return;
    const TcpState from = known->second.state;
    if (from == TcpState::listen) listeners_.erase(key);
    sockets_.erase(known);
    sending_.erase(key);
    return change(key, from, TcpState::closed, at, cause, std::nullopt);
  }
  const std::uint32_t old_inode = known == sockets_.end() ? 0 : known->second.inode;
  TcpState from = known == sockets_.end() ? TcpState::closed : known->second.state;
  // A connection that begins in SYN_RECV is a passive open. Linux makes a new request socket; in
  // RFC 9293 section 3.3.2 the connection comes from LISTEN.
  if (from == TcpState::closed && socket->state == TcpState::syn_recv && listens(key.local))
    from = TcpState::listen;
  if (known != sockets_.end())
    known->second = *socket;
  else
    sockets_.emplace(key, *socket);
  if (socket->state == TcpState::listen) listeners_.insert(key);
  if (on_owner && socket->inode != 0 && socket->inode != old_inode) on_owner(key, socket->inode);
  if (from != socket->state) change(key, from, socket->state, at, cause, socket);
}

void ConnectionTable::observe_all(const std::vector<Socket>& sockets, base::Instant at,
                                  const Cause& cause) {
  std::size_t connections = 0;
  std::vector<Socket> listeners;
  for (const Socket& socket : sockets) {
    observe({socket.local, socket.remote}, socket, at, cause);
    if (socket.state == TcpState::listen)
      listeners.push_back(socket);
    else if (is_connection_or_listener(socket))
      ++connections;
  }
  observe_listeners(listeners, at, cause);
  if (connections != connection_count()) close_missing(sockets, at, cause);
}

void ConnectionTable::close_missing(const std::vector<Socket>& sockets, base::Instant at,
                                    const Cause& cause) {
  std::set<ConnectionKey> seen;
  for (const Socket& socket : sockets) seen.insert({socket.local, socket.remote});
  for (const ConnectionKey& key : keys())
    if (!seen.contains(key)) observe(key, std::nullopt, at, cause);
}

void ConnectionTable::note_sending(const ConnectionKey& key, const SendingInfo& info,
                                   base::Instant at, std::uint64_t frame) {
  if (!sockets_.contains(key)) return;
  SendingInfo& last = sending_[key];
  if (last == shown(info)) return;
  last = shown(info);
  timeline_.append(
      at,
      capture::Sending{
          .host = host_, .local = key.local, .remote = key.remote, .frame = frame, .info = last});
}

void ConnectionTable::observe_listeners(const std::vector<Socket>& sockets, base::Instant at,
                                        const Cause& cause) {
  std::set<ConnectionKey> gone = listeners_;
  for (const Socket& socket : sockets) {
    const ConnectionKey key{socket.local, socket.remote};
    gone.erase(key);
    observe(key, socket, at, cause);
  }
  for (const ConnectionKey& key : gone) observe(key, std::nullopt, at, cause);
}

void ConnectionTable::forget_all(base::Instant at) {
  for (const ConnectionKey& key : keys())
    observe(key, std::nullopt, at, Cause{.what = capture::StateCause::power});
}

TcpState ConnectionTable::state(const ConnectionKey& key) const {
  const auto found = sockets_.find(key);
  return found == sockets_.end() ? TcpState::closed : found->second.state;
}

std::vector<ConnectionKey> ConnectionTable::keys() const {
  std::vector<ConnectionKey> keys;
  for (const auto& [key, socket] : sockets_) keys.push_back(key);
  return keys;
}

std::size_t ConnectionTable::connection_count() const {
  return sockets_.size() - listeners_.size();
}

bool ConnectionTable::listens(const base::Endpoint& local) const {
  return std::ranges::any_of(
      listeners_, [&](const ConnectionKey& each) { return each.local.port == local.port; });
}

void ConnectionTable::change(const ConnectionKey& key, TcpState from, TcpState to, base::Instant at,
                             const Cause& cause, const std::optional<Socket>& socket) {
  timeline_.append(at, capture::State{.host = host_,
                                      .local = key.local,
                                      .remote = key.remote,
                                      .from = from,
                                      .to = to,
                                      .cause = cause.what,
                                      .frame = cause.frame,
                                      .socket = cause.is_concluded ? std::nullopt : socket,
                                      .is_concluded = cause.is_concluded});
}

}  // namespace tcplab::lab
