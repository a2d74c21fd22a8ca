// Remembers the last known state of each connection of one host. Compares it with each answer of
// the kernel, and puts every change on the timeline.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"
#include "lab/record/timeline.hh"
#include "lab/watch/connection_key.hh"

namespace tcplab::lab {

/// Why the table asks the kernel now, for the timeline.
struct Cause {
  capture::StateCause what = capture::StateCause::poll;
  std::uint64_t frame = 0;    // its number, if it is a frame
  bool is_concluded = false;  // from that frame: nobody could ask
};

class ConnectionTable {
public:
  ConnectionTable(std::string host, Timeline& timeline)
      : host_(std::move(host)), timeline_(timeline) {}

  /// Takes the kernel's answer about the connection `key`; nothing if it has no such connection.
  void observe(const ConnectionKey& key, const std::optional<capture::Socket>& socket,
               base::Instant at, const Cause& cause);

  /// Takes the kernel's whole table. Connections that are not in it are closed.
  void observe_all(const std::vector<capture::Socket>& sockets, base::Instant at,
                   const Cause& cause);

  /// Takes the kernel's listening sockets. Listeners that are not among them are closed.
  void observe_listeners(const std::vector<capture::Socket>& sockets, base::Instant at,
                         const Cause& cause);

  /// Records how the connection sends, if what plots show of it has changed.
  void note_sending(const ConnectionKey& key, const capture::SendingInfo& info, base::Instant at,
                    std::uint64_t frame);

  /// Returns whether a listener on the port of that address is known.
  bool listens(const base::Endpoint& local) const;

  /// Closes every connection: the host lost its power.
  void forget_all(base::Instant at);

  capture::TcpState state(const ConnectionKey& key) const;
  std::vector<ConnectionKey> keys() const;
  const std::map<ConnectionKey, capture::Socket>& sockets() const { return sockets_; }

  /// Counts connections without listening sockets.
  std::size_t connection_count() const;

  /// Called if a connection's inode (proc(5)) is new: from now on a process holds it.
  std::function<void(const ConnectionKey&, std::uint32_t inode)> on_owner;

private:
  /// Closes the connections that are not among the kernel's sockets.
  void close_missing(const std::vector<capture::Socket>& sockets, base::Instant at,
                     const Cause& cause);
  void change(const ConnectionKey& key, capture::TcpState from, capture::TcpState to,
              base::Instant at, const Cause& cause, const std::optional<capture::Socket>& socket);

  std::string host_;
  Timeline& timeline_;
  std::map<ConnectionKey, capture::Socket> sockets_;
  std::set<ConnectionKey> listeners_;                      // of those
  std::map<ConnectionKey, capture::SendingInfo> sending_;  // as last recorded
};

}  // namespace tcplab::lab
