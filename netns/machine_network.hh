// Changes the network of a machine that is on.
#pragma once

#include <span>
#include <string>

#include "netns/host_config.hh"
#include "netns/machine.hh"
#include "netns/netlink.hh"

namespace tcplab::netns {

/// Each function throws base::SystemError if the kernel refuses, and base::LabError if the machine
/// has no power.
class MachineNetwork {
public:
  /// The machine must outlive it.
  explicit MachineNetwork(Machine& machine) : machine_(machine) {}

  void add_route(const RouteConfig& route);
  void remove_route(const RouteConfig& route);
  void set_mtu(const std::string& nic, unsigned mtu);
  /// A link that comes up has its first_neighbours() again.
  void set_link(const std::string& nic, bool up);
  void add_address(const std::string& nic, const InterfaceAddress& address);
  void remove_address(const std::string& nic, const InterfaceAddress& address);
  void add_neighbours(std::span<const NeighbourConfig> neighbours);

private:
  RouteSocket socket_to(const std::string& attempt);

  Machine& machine_;
};

}  // namespace tcplab::netns
