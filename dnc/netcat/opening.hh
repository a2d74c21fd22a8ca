// Makes a listening or connected socket according to the options, with recorded calls only. If a
// call fails, prints the error on stderr and returns nullopt.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "dnc/calls/calls.hh"
#include "dnc/netcat/options.hh"

namespace tcplab::dnc {

class Opening {
public:
  Opening(const Options& options, Calls& calls) : options_(options), calls_(calls) {}

  struct Failure {
    std::string_view call;
    int error = 0;
  };

  /// Tries each address in turn, as nc does.
  std::optional<int> connect(std::span<const SocketAddress> addresses);
  /// The same, but prints nothing if a call fails; last_failure() has it.
  std::optional<int> try_to_connect(std::span<const SocketAddress> addresses);
  const Failure& last_failure() const { return last_; }
  std::optional<int> listen(std::span<const SocketAddress> addresses);

  /// Sets the options of an accepted connection. listen() has set those of the listener. Returns
  /// false if that fails.
  bool prepare_accepted(int fd);

private:
  using Problem = std::optional<Failure>;

  Problem connect_one(int fd, const SocketAddress& address);
  Problem bind_source(int fd, int family);
  Problem finish_connecting(int fd);
  Problem listen_one(int fd, const SocketAddress& address);
  Problem set_buffers(int fd);
  Problem set_connection_options(int fd);
  Problem set_keepalive(int fd, const Keepalive& keepalive);
  Problem set(int fd, std::string_view option, int value);
  bool non_blocking_connect() const;
  template <typename Attempt>
  std::optional<int> try_each(std::span<const SocketAddress> addresses, bool non_blocking,
                              Attempt attempt);

  const Options& options_;
  Calls& calls_;
  Failure last_;
};

}  // namespace tcplab::dnc
