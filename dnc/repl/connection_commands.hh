// The REPL's commands that make, open and close connections: socket(2), bind(2), listen(2),
// accept(2), connect(2), poll(2), shutdown(2).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dnc/calls/calls.hh"
#include "dnc/netcat/options.hh"
#include "dnc/repl/repl_sockets.hh"
#include "dnc/repl/repl_words.hh"

namespace tcplab::dnc {

class ConnectionCommands {
public:
  ConnectionCommands(const Options& options, Calls& calls, ReplSockets& sockets)
      : options_(options), calls_(calls), sockets_(sockets) {}

  /// Sets the address that `connect` without arguments connects to.
  void set_last_address(std::vector<SocketAddress> address) { last_address_ = std::move(address); }

  /// Each runs one command and returns what to print. Throws base::UsageError.
  std::string socket(const Words& arguments);
  std::string bind(const Words& arguments);
  std::string listen(const Words& arguments);
  std::string accept(const Words& arguments);
  std::string connect(const Words& arguments);
  std::string poll(const Words& arguments);
  std::string shutdown(const Words& arguments);
  std::string disconnect(const Words& arguments);

private:
  std::vector<SocketAddress> resolve_for_socket(const Words& host_and_port) const;

  const Options& options_;
  Calls& calls_;
  ReplSockets& sockets_;
  std::vector<SocketAddress> last_address_;  // of the last connect
};

}  // namespace tcplab::dnc
