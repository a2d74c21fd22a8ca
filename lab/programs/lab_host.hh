// A host of a run: its machine, which is on or off, and what the laboratory knows and changes of
// it. The object outlives the machine: a host without power is still a host.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/follow/connection_numbers.hh"
#include "lab/home/program_options.hh"
#include "lab/peer/scripted_peer.hh"
#include "lab/programs/host_dns.hh"
#include "lab/programs/host_machine.hh"
#include "lab/programs/host_network.hh"
#include "lab/programs/host_sockets.hh"
#include "lab/programs/host_sysctls.hh"
#include "lab/record/timeline.hh"
#include "netns/host.hh"
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

  const std::string& name() const { return machine_.name(); }
  const netns::HostConfig& config() const { return machine_.config; }
  /// Returns the address that its first NIC got at the start.
  const base::IpAddress& address() const { return address_; }
  /// Returns another host's address, as in this host's /etc/hosts.
  const base::IpAddress& address_of(const LabHost& other) const;

  bool is_on() const { return machine_.is_on(); }
  /// Throws base::UsageError if its power is off.
  netns::Machine& machine() { return machine_.get(); }
  /// Returns the namespaces of the host. Throws Skip, whose text begins with `what`, if it is a
  /// kernel host.
  netns::Host& namespaces(const std::string& what);
  /// Throws Skip, whose text begins with `what`, if it has a TCP stack of its own.
  void require_kernel_tcp(const std::string& what) const {
    if (is_on()) machine_.with_kernel_tcp(what);
  }
  int incarnation() const { return incarnation_; }

  /// Takes the new machine, whose kernel can be asked from now on.
  void came_up(std::unique_ptr<netns::Machine> machine);
  /// Returns the event that says that it is up: its interfaces and their addresses.
  capture::HostUp up_event() const;
  /// The connections of a peer. Throws base::UsageError if the host has a kernel, or no power.
  ScriptedPeer& peer();
  /// The wire has delivered a frame to the host. Only a peer takes it here: a kernel has it from
  /// its NIC.
  void frame_delivered(std::uint64_t number, netns::Bytes frame, base::Instant at);

  /// Cuts the power. Its ports must be detached before.
  void power_off();

  HostNetwork& network() { return network_; }
  const HostNetwork& network() const { return network_; }
  HostSysctls& sysctls() { return sysctls_; }
  HostDns& dns() { return dns_; }
  HostSockets& sockets() { return sockets_; }
  const HostSockets& sockets() const { return sockets_; }

  capture::ConnectionNumbers numbers;          // of its connections, as seen on the wire
  std::map<std::string, netns::PortId> ports;  // of the NICs that are plugged in
  std::vector<BootProgram> boot_programs;      // started at each power on

  /// What is done at each power on, before its programs start: its disks.
  std::vector<std::function<void(netns::Machine&)>> at_power_on;
  std::vector<std::string> rulesets;  // nftables, loaded at each power on

private:
  HostMachine machine_;
  base::IpAddress address_;
  int incarnation_ = 0;
  HostNetwork network_{machine_};
  HostSysctls sysctls_{machine_};
  HostDns dns_{machine_};
  HostSockets sockets_;
  ScriptedPeer peer_;
};

/// Returns when the first timer of any of these hosts expires; base::Instant::max() if none runs.
base::Instant first_timer(const std::vector<std::unique_ptr<LabHost>>& hosts);

}  // namespace tcplab::lab
