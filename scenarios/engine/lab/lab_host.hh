// A host of the experiment: the machine that is on or off, its place on the wire, and what is
// known of its connections. Outlives its machine: a host whose power is off is still a host.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/follow/connection_numbers.hh"
#include "capture/kernel/sockets.hh"
#include "netns/host.hh"
#include "netns/wire.hh"
#include "scenarios/engine/lab/connection_table.hh"
#include "scenarios/engine/lab/timeline.hh"

namespace tcplab::engine {

class LabHost {
public:
  LabHost(netns::HostConfig config, Timeline& timeline);

  const std::string& name() const { return config_.name; }
  const netns::HostConfig& config() const { return config_; }
  /// The address that its first NIC was made with.
  const base::IpAddress& address() const { return address_; }
  /// A NIC by its name, or the name of its link; throws base::UsageError that says which there are.
  const netns::NicConfig& nic(const std::string& name) { return find_nic(name); }
  /// Another host's address as this one's /etc/hosts has it.
  const base::IpAddress& address_of(const LabHost& other) const;

  bool is_on() const { return machine_ != nullptr; }
  /// Throws base::UsageError when its power is off.
  netns::Host& machine();
  int incarnation() const { return incarnation_; }

  /// The machine is on: its kernel can be asked from now on.
  void came_up(std::unique_ptr<netns::Host> machine);
  /// Pulls the power. The port must have been detached.
  void power_off();

  /// Asks the kernel for one connection, or for all of its sockets.
  void look_at(const ConnectionKey& key, base::Instant at, const Cause& cause);
  void look_at_all(const Cause& cause);
  /// Looks again at those connections whose sockets were destroyed since the last time.
  void look_at_destroyed();
  int destroy_descriptor() const { return sockets_->destroy_descriptor(); }

  /// When the next time-wait socket (TIME_WAIT, orphaned FIN_WAIT2) runs out, if there is one.
  std::optional<base::Instant> next_expiry() const;

  // Of its network, now and for later incarnations (a link is up again then). Each throws
  // base::UsageError when it has no power or its kernel refuses.
  void add_route(const netns::RouteConfig& route);
  void remove_route(const netns::RouteConfig& route);
  void set_mtu(const std::string& nic, unsigned mtu);
  void set_link(const std::string& nic, bool up);
  void add_address(const std::string& nic, const netns::InterfaceAddress& address);
  void remove_address(const base::IpAddress& address);

  void write_sysctl(const std::string& name, const std::string& value);
  /// The kernel's value, or `built_in` when this kernel does not have it.
  long read_sysctl(const std::string& name, long built_in);

  /// What the connection's retransmission timeout is now (tcp(7), TCP_INFO).
  std::optional<base::nanoseconds> retransmission_timeout(const ConnectionKey& key) const;

  /// What the kernel has now of those connections that it is known to have.
  std::vector<capture::SocketDetail> socket_details() const;

  ConnectionTable& connections() { return connections_; }
  const ConnectionTable& connections() const { return connections_; }

  capture::ConnectionNumbers numbers;                   // of its connections, as seen on the wire
  std::map<std::string, netns::PortId> ports;           // of the NICs that are plugged in
  std::vector<std::vector<std::string>> boot_commands;  // run at each power on

  std::vector<std::string> rulesets;  // nftables, loaded at each power on

private:
  netns::NicConfig& find_nic(const std::string& nic);
  void forget_route(const netns::RouteConfig& route);

  netns::HostConfig config_;
  base::IpAddress address_;
  std::set<base::IpAddress> own_;  // every address that it has ever had
  ConnectionTable connections_;
  std::unique_ptr<netns::Host> machine_;
  std::unique_ptr<capture::SocketTable> sockets_;
  int incarnation_ = 0;
  base::Instant looked_at_{};
};

}  // namespace tcplab::engine
