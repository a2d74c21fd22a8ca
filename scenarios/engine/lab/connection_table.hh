// What we know of one host's connections: the last state that its kernel was seen to have each
// of them in. Told what the kernel says now, it puts every change on the timeline.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"
#include "scenarios/engine/lab/timeline.hh"

namespace tcplab::engine {

struct ConnectionKey {
  base::Endpoint local;
  base::Endpoint remote;
  auto operator<=>(const ConnectionKey&) const = default;
};

/// Why a state is looked at, for the timeline.
struct Cause {
  std::string what;         // "frame", "poll", "destroyed", "power"
  std::uint64_t frame = 0;  // its number, when it is a frame
};

class ConnectionTable {
public:
  ConnectionTable(std::string host, Timeline& timeline)
      : host_(std::move(host)), timeline_(timeline) {}

  /// The kernel says `socket` of the connection `key`; nothing: it has no such connection.
  void observe(const ConnectionKey& key, const std::optional<capture::Socket>& socket,
               base::Instant at, const Cause& cause);

  /// The kernel's whole table: what it does not have is gone.
  void observe_all(const std::vector<capture::Socket>& sockets, base::Instant at,
                   const Cause& cause);

  /// The host lost its power: every connection is gone, and nobody was told.
  void forget_all(base::Instant at);

  capture::TcpState state(const ConnectionKey& key) const;
  std::vector<ConnectionKey> keys() const;
  const std::map<ConnectionKey, capture::Socket>& sockets() const { return sockets_; }

  /// Connections, listening sockets left out.
  std::size_t connection_count() const;

  /// Called with each connection that a process has come to hold: its inode (proc(5)) is new.
  std::function<void(const ConnectionKey&, std::uint32_t inode)> on_owner;

private:
  void change(const ConnectionKey& key, capture::TcpState from, capture::TcpState to,
              base::Instant at, const Cause& cause, const std::optional<capture::Socket>& socket);
  bool listens(const base::Endpoint& local) const;

  std::string host_;
  Timeline& timeline_;
  std::map<ConnectionKey, capture::Socket> sockets_;
  std::set<base::Endpoint> listeners_;  // of those
};

}  // namespace tcplab::engine
