// A host of a run: its machine, which is on or off, its ports on the wire, and the known states of
// its connections. The object outlives the machine: a host without power is still a host.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/follow/connection_numbers.hh"
#include "capture/kernel/sockets.hh"
#include "lab/dns/resolver.hh"
#include "lab/home/program_options.hh"
#include "lab/programs/connection_table.hh"
#include "lab/record/timeline.hh"
#include "netns/environment.hh"
#include "netns/host.hh"
#include "netns/machine.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

/// A program that starts with its host.
struct BootProgram {
  std::vector<std::string> command;
  ProgramOptions options;
};

class LabHost {
public:
  LabHost(netns::HostConfig config, Timeline& timeline);

  const std::string& name() const { return config_.name; }
  const netns::HostConfig& config() const { return config_; }
  /// Returns the address that its first NIC got at the start.
  const base::IpAddress& address() const { return address_; }
  /// Finds a NIC by its name or its link's; throws base::UsageError that names the NICs.
  const netns::NicConfig& nic(const std::string& name) { return find_nic(name); }
  /// Whether the address is, or was, one of its own.
  bool has_had(const base::IpAddress& address) const { return own_.contains(address); }
  /// Returns another host's address, as in this host's /etc/hosts.
  const base::IpAddress& address_of(const LabHost& other) const;

  bool is_on() const { return machine_ != nullptr; }
  /// Throws base::UsageError if its power is off.
  netns::Machine& machine();
  /// Returns the namespaces of the host. Throws Skip, whose text begins with `what`, if it is a
  /// kernel host.
  netns::Host& namespaces(const std::string& what);
  int incarnation() const { return incarnation_; }

  /// Takes the new machine, whose kernel can be asked from now on.
  void came_up(std::unique_ptr<netns::Machine> machine);
  /// Returns the event that says that it is up: its interfaces and their addresses.
  capture::HostUp up_event() const;
  /// Cuts the power. Its ports must be detached before.
  void power_off();

  /// Takes the kernel's answer about a connection, given when it sent or received a frame, or asks
  /// now. The second function asks for all sockets.
  void look_at(const ConnectionKey& key, base::Instant at, const Cause& cause);
  void look_at_all(const Cause& cause);
  /// Asks for all sockets if the kernel has destroyed any since the last time.
  void look_at_destroyed();
  /// Asks only for listening sockets, so that its cost does not depend on the connections.
  void look_at_listeners();
  int destroy_descriptor() const { return sockets_->destroy_descriptor(); }

  /// Returns when the next time-wait socket (TIME_WAIT, orphaned FIN_WAIT2) expires, if any.
  std::optional<base::Instant> next_expiry() const;
  /// Returns when the first timer of any socket expires, as of the last look at all;
  /// base::Instant::max() if none runs. Its socket may end without a frame or a report of the
  /// kernel: if its program still has it, or if it is none yet.
  base::Instant first_timer() const;

  // These change its network, also for later incarnations (in which every link is up). Each throws
  // base::UsageError if the host has no power or its kernel refuses.
  void add_route(const netns::RouteConfig& route);
  void remove_route(const netns::RouteConfig& route);
  void set_mtu(const std::string& nic, unsigned mtu);
  void set_link(const std::string& nic, bool up);
  void add_address(const std::string& nic, const netns::InterfaceAddress& address);
  void remove_address(const base::IpAddress& address);

  void write_sysctl(const std::string& name, const std::string& value);
  /// Sets these sysctls until resume(). Scripts see the values from before. Does nothing if they
  /// are set already, or if the host has no power.
  void pause(const netns::Sysctls& sysctls);
  void resume();
  /// Returns the kernel's value, or `built_in` if the kernel does not have it.
  long read_sysctl(const std::string& name, long built_in);

  /// Returns the connection's retransmission timeout before back-off (tcp(7), TCP_INFO).
  std::optional<base::nanoseconds> retransmission_timeout(const ConnectionKey& key) const;

  /// Asks the kernel about one connection; nothing if it has no such connection, or has no power.
  std::optional<capture::SocketDetail> socket_detail(const ConnectionKey& key) const;
  /// Asks the kernel about all its known connections.
  std::vector<capture::SocketDetail> socket_details() const;

  ConnectionTable& connections() { return connections_; }
  const ConnectionTable& connections() const { return connections_; }

  capture::ConnectionNumbers numbers;          // of its connections, as seen on the wire
  std::map<std::string, netns::PortId> ports;  // of the NICs that are plugged in
  std::vector<BootProgram> boot_programs;      // started at each power on

  /// What is done at each power on, before its programs start: its disks.
  std::vector<std::function<void(netns::Machine&)>> at_power_on;
  std::vector<std::string> rulesets;  // nftables, loaded at each power on

  /// Starts a resolver on this host, which starts again at each power on.
  void serve_names(std::unique_ptr<Resolver> resolver);
  /// Returns its resolver; null if it has none.
  Resolver* resolver() { return resolver_.get(); }
  /// Writes /etc/resolv.conf, for later boots too.
  void use_resolvers(const std::string& resolver_file);

private:
  void observe(const ConnectionKey& key, const std::optional<capture::SocketDetail>& found,
               base::Instant at, const Cause& cause);
  template <typename Chosen>
  std::optional<base::Instant> first_of(const Chosen& chosen) const;
  netns::NicConfig& find_nic(const std::string& nic);
  void start_resolver();
  void forget_route(const netns::RouteConfig& route);

  netns::HostConfig config_;
  base::IpAddress address_;
  std::set<base::IpAddress> own_;  // every address that it has ever had
  ConnectionTable connections_;
  std::map<std::string, std::string> paused_;  // sysctls, as they were before pause()
  std::unique_ptr<netns::Machine> machine_;
  std::unique_ptr<Resolver> resolver_;
  std::string resolver_file_;  // /etc/resolv.conf
  std::unique_ptr<capture::SocketTable> sockets_;
  int incarnation_ = 0;
  base::Instant looked_at_{};
};

/// Returns when the first timer of any of these hosts expires; base::Instant::max() if none runs.
base::Instant first_timer(const std::vector<std::unique_ptr<LabHost>>& hosts);

}  // namespace tcplab::lab
