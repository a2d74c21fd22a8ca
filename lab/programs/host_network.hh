// The NICs, addresses and routes of a host. Changes last for later incarnations too, in which every
// link is up.
#pragma once

#include <set>
#include <string>

#include "base/endpoint.hh"
#include "lab/programs/host_machine.hh"
#include "netns/port.hh"

namespace tcplab::lab {

class HostNetwork {
public:
  explicit HostNetwork(HostMachine& machine);
  HostNetwork(const HostNetwork&) = delete;
  HostNetwork& operator=(const HostNetwork&) = delete;

  /// Finds a NIC by its name or its link's; throws base::UsageError that names the NICs.
  const netns::NicConfig& nic(const std::string& name) { return find_nic(name); }
  /// Whether the address is, or was, one of the host's own.
  bool has_had(const base::IpAddress& address) const { return own_.contains(address); }

  // Each throws base::UsageError if the host has no power or its kernel refuses.
  void add_route(const netns::RouteConfig& route);
  void remove_route(const netns::RouteConfig& route);
  void set_mtu(const std::string& nic, unsigned mtu);
  void set_link(const std::string& nic, bool up);
  void add_address(const std::string& nic, const netns::InterfaceAddress& address);
  void remove_address(const base::IpAddress& address);

  /// Adds the neighbour whose link address the kernel asks for with this frame, so that it needs no
  /// answer. Returns false if the frame is no such question, or the lab does not know the
  /// neighbour.
  bool add_asked_neighbour(const std::string& nic, netns::Bytes frame);
  /// Adds all neighbours of a NIC that is about to lose its cable: nobody hears the kernel then.
  void add_other_neighbours(const std::string& nic);

private:
  bool adds_neighbours_later() const;
  netns::NicConfig& find_nic(const std::string& nic);
  void forget_route(const netns::RouteConfig& route);

  HostMachine& machine_;
  std::set<base::IpAddress> own_;  // every address that it has ever had
};

}  // namespace tcplab::lab
