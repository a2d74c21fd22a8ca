// A host of the experiment: the machine that is on or off, its place on the wire, and what is
// known of its connections. Outlives its machine: a host whose power is off is still a host.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/sockets.hh"
#include "netns/host.hh"
#include "netns/wire.hh"
#include "scenarios/engine/connection_table.hh"
#include "scenarios/engine/timeline.hh"

namespace tcplab::engine {

class LabHost {
public:
  LabHost(netns::HostConfig config, Timeline& timeline);

  const std::string& name() const { return config_.name; }
  const netns::HostConfig& config() const { return config_; }
  /// The address of its first NIC.
  const base::IpAddress& address() const { return config_.nics.front().addresses.front().address; }

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

  void write_sysctl(const std::string& name, const std::string& value);
  /// The kernel's value, or `built_in` when this kernel does not have it.
  long read_sysctl(const std::string& name, long built_in);

  /// What the connection's retransmission timeout is now (tcp(7), TCP_INFO).
  std::optional<base::nanoseconds> retransmission_timeout(const ConnectionKey& key) const;

  ConnectionTable& connections() { return connections_; }
  const ConnectionTable& connections() const { return connections_; }

  std::optional<netns::PortId> port;                    // while it is plugged in
  std::vector<std::vector<std::string>> boot_commands;  // run at each power on

private:
  netns::HostConfig config_;
  ConnectionTable connections_;
  std::unique_ptr<netns::Host> machine_;
  std::unique_ptr<capture::SocketTable> sockets_;
  int incarnation_ = 0;
  base::Instant looked_at_{};
};

}  // namespace tcplab::engine
