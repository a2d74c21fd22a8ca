// From options to a socket that listens or is connected, by recorded calls only. What the kernel
// refuses is said in one line on stderr and is an absent value.
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

  /// Tries each address in turn, as nc does.
  std::optional<int> connect(std::span<const SocketAddress> addresses);
  std::optional<int> listen(std::span<const SocketAddress> addresses);

  /// The settings of a connection; a listener's own are made by listen().
  bool prepare_accepted(int fd);

private:
  struct Failure {
    std::string_view call;
    int error = 0;
  };
  using Problem = std::optional<Failure>;

  Problem connect_one(int fd, const SocketAddress& address);
  Problem bind_source(int fd, int family);
  Problem finish_connecting(int fd);
  Problem listen_one(int fd, const SocketAddress& address);
  Problem set_buffers(int fd);
  Problem set_manners(int fd);
  Problem set_keepalive(int fd, const Keepalive& keepalive);
  Problem set(int fd, std::string_view option, int value);
  bool non_blocking_connect() const;
  template <typename Attempt>
  std::optional<int> first_that_works(std::span<const SocketAddress> addresses, bool non_blocking,
                                      Attempt attempt);

  const Options& options_;
  Calls& calls_;
};

}  // namespace tcplab::dnc
