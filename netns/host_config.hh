// What a host is made from: its NICs, addresses, routes, neighbours, sysctls and names; and what is
// needed to start a program on it. Values only.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"
#include "netns/mac_address.hh"

namespace tcplab::netns {

struct InterfaceAddress {
  base::IpAddress address;
  unsigned prefix_length = 24;
};

struct NicConfig {
  std::string name = "eth0";
  MacAddress mac;
  std::vector<InterfaceAddress> addresses;
  unsigned mtu = 1500;
  std::string link;  // the name of the segment that it is on; empty where there is only one
};

enum class RouteKind : std::uint8_t { via, unreachable, prohibit, blackhole };

/// A route by a router that a NIC of the host reaches, or one that answers at once.
struct RouteConfig {
  base::IpAddress destination;
  unsigned prefix_length = 0;
  RouteKind kind = RouteKind::via;
  base::IpAddress gateway;  // of the kind `via`
};

/// A neighbour table entry that never expires (NUD_PERMANENT): its link address stays known.
struct NeighbourConfig {
  std::string nic = "eth0";
  base::IpAddress address;
  MacAddress mac;
};

struct HostConfig {
  std::string name;
  std::vector<NicConfig> nics;
  std::vector<NeighbourConfig> neighbours;
  std::vector<RouteConfig> routes;
  std::vector<std::pair<std::string, std::string>> sysctls;    // "net.ipv4.tcp_retries2", "3"
  std::vector<std::pair<std::string, base::IpAddress>> names;  // its /etc/hosts, with localhost
};

/// How NICs are made here: TAP where /dev/net/tun may be opened, else veth pairs with packet
/// sockets, their checksum and segmentation offloads off.
enum class PortKind { tap, veth };
PortKind preferred_port_kind();

struct SpawnRequest {
  std::vector<std::string> command;  // found by PATH when it has no slash
  std::vector<std::pair<std::string, std::string>> environment;  // on top of the inherited one
  // In the program -> ours. 0, 1 and 2 are /dev/null where not mentioned, all others closed.
  std::map<int, int> descriptors;
};

/// A program on a host. The lab is its parent: it must be reaped, through its pidfd or its pid.
struct Spawned {
  pid_t pid = 0;               // in the lab's pid namespace
  base::FileDescriptor pidfd;  // readable when it has ended (pidfd_open(2))
};

}  // namespace tcplab::netns
