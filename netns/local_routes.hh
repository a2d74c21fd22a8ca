// An IPv6 address is a host's own only once the kernel has a local route for it, and that comes
// from a work queue, after the address was added and even where nothing is to be detected
// (addrconf_dad_work() in net/ipv6/addrconf.c). Frames that arrive before are dropped.
#pragma once

#include <memory>
#include <vector>

#include "base/endpoint.hh"

struct mnl_socket;

namespace tcplab::netns {

/// Hears of the IPv6 routes of the network namespace that it was made in, from then on.
class LocalRoutes {
public:
  /// Throws base::SystemError.
  LocalRoutes();

  /// Returns when there is a local route for that address: its addition must have been asked for
  /// after this was made. Throws base::LabError when it does not come.
  void await(const base::IpAddress& address);

private:
  struct Closer {
    void operator()(mnl_socket* socket) const;
  };

  void hear(const base::IpAddress& awaited);

  std::unique_ptr<mnl_socket, Closer> socket_;
  std::vector<base::IpAddress> local_;  // addresses that have one
};

}  // namespace tcplab::netns
