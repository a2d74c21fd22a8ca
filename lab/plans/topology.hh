// The plan of a run's network: links, the hosts on them, and from these each host's addresses,
// routes and neighbours. A host on several links is a router. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/endpoint.hh"
#include "netns/host.hh"

namespace tcplab::lab {

struct LinkPlan {
  std::string name;  // empty for the only link of lab:pair and lab:hosts
  unsigned mtu = 1500;
  /// Hosts elsewhere have no route to it, like the private network behind a NAT. Only a path over
  /// hidden links leads to it.
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
  bool learn_neighbours = false;  // by ARP or neighbour discovery; else neighbours are permanent
  std::vector<std::pair<std::string, std::string>> sysctls;
  std::string congestion{};          // tcp_congestion_control; empty for the usual one
  bool has_offloads = false;         // each NIC leaves checksums and TCP segmentation to the wire
  bool has_names = true;             // /etc/hosts has the names of all hosts; else only its own
  std::vector<std::string> peers{};  // hosts without a kernel: a script sends their segments
};

/// Returns one link with all of these hosts on it.
Topology one_link(const std::vector<std::string>& hosts);

/// Returns the topology with its links and hosts in the order of a walk from the first host, by
/// name, that is on one link only: kang, gateway, kodos. For plans that come from an unordered
/// table.
Topology in_walking_order(Topology topology);

/// Returns the full configuration of each host. Link n has 10.0.n.0/24 or fd00:n::/64; a link
/// without a name has n = 0. Host h has .h on each of its links. With more than 254 hosts, link n
/// has 10.n.0.0/16, and host h has 10.n.x.y with h = 256 x + y. Throws base::UsageError for an
/// unknown link, a host without a link, more than 1,000 hosts, two hosts without a path between
/// them, an MTU that is too small, an unknown peer, a peer on several links, or peers only.
std::vector<netns::HostConfig> lay_out(const Topology& topology, base::Family family,
                                       const HostOptions& options);

}  // namespace tcplab::lab
