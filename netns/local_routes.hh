// Waits until the kernel accepts frames for a new IPv6 address. It does so once it has a local
// route for the address. A work queue adds that route after the address was added, even without
// duplicate address detection (addrconf_dad_work() in net/ipv6/addrconf.c). Frames that arrive
// earlier are dropped.
#pragma once

#include <memory>
#include <vector>

#include "base/endpoint.hh"

struct mnl_socket;

namespace tcplab::netns {

/// Collects the IPv6 routes that the kernel adds in the current network namespace, from the
/// construction of the object on.
class LocalRoutes {
public:
  /// Throws base::SystemError.
  LocalRoutes();

  /// Waits for the local route of an address that was added after this object was constructed.
  /// Throws base::LabError after 5 s.
  void await(const base::IpAddress& address);

private:
  struct Closer {
    void operator()(mnl_socket* socket) const;
  };

  void receive_routes(const base::IpAddress& awaited);

  std::unique_ptr<mnl_socket, Closer> socket_;
  std::vector<base::IpAddress> local_;  // addresses that have a local route
};

}  // namespace tcplab::netns
