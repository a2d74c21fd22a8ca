// What a run's network looks like, before it is made: links, the hosts on them, and from these
// each host's addresses, routes and neighbours. A host on several links is a router. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/endpoint.hh"
#include "netns/host.hh"

namespace tcplab::engine {

struct LinkPlan {
  std::string name;  // empty for the only link of hosts that are not called a network
  unsigned mtu = 1500;
  /// Routers outside have no route to it, as to the private network behind a NAT; a way to it
  /// leads over hidden links only.
  bool hidden = false;
};

struct HostPlan {
  std::string name;
  std::vector<std::string> links;  // eth0 is on the first, eth1 on the next
};

struct Topology {
  std::vector<LinkPlan> links;
  std::vector<HostPlan> hosts;
};

struct HostOptions {
  bool learn_neighbours = false;  // by ARP or neighbour discovery; else they are known for ever
  std::vector<std::pair<std::string, std::string>> sysctls;
};

/// One link, and all of these on it.
Topology one_link(const std::vector<std::string>& hosts);

/// The same, links and hosts in the order in which they are met when walking from the first host
/// (by its name) that is on one link only: kang, gateway, kodos. For plans whose parts have no
/// order of their own.
Topology in_walking_order(Topology topology);

/// Each host in full. Link n has 10.0.n.0/24 or fd00:n::/64, the only one of hosts that are no
/// network n = 0; host h has .h on each of its links. Throws base::UsageError, which names what is
/// wrong: a link that there is not, a host on none, no path between two hosts, an MTU too small.
std::vector<netns::HostConfig> lay_out(const Topology& topology, base::Family family,
                                       const HostOptions& options);

}  // namespace tcplab::engine
