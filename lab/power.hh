// The power of the hosts: their start at the beginning of a run, their losses of power and reboots.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lab/host_table.hh"
#include "lab/hosts/host_maker.hh"
#include "lab/kernel_reports.hh"
#include "lab/laboratory_config.hh"
#include "lab/network.hh"
#include "lab/plans/topology.hh"
#include "lab/program_table.hh"
#include "lab/socket_watch.hh"

namespace tcplab::lab {

/// What a host that gets or loses its power is part of.
struct PowerSurroundings {
  const LaboratoryConfig& config;
  HostMaker& maker;
  Clock& clock;
  Timeline& timeline;
  KernelReports& kernels;
  StallWatch& stalls;
  Network& network;
  HostTable& hosts;
  ProgramTable& programs;
  SocketWatch& sockets;
};

class Power {
public:
  explicit Power(const PowerSurroundings& around) : around_(around) {}
  Power(const Power&) = delete;
  Power& operator=(const Power&) = delete;

  /// Powers these hosts on at the same time, and returns them in the topology's order. Each knows
  /// the others by name. Once in a run.
  std::vector<LabHost*> make_hosts(const Topology& topology, const HostOptions& options);
  /// Skips the run when its hosts turn out to lack that sysctl.
  void require_sysctl(const std::string& name) { required_sysctls_.push_back(name); }

  void off(LabHost& host);
  void on(LabHost& host);
  /// Powers the host on after its boot time, unless it has power by then.
  void on_later(LabHost& host, base::nanoseconds boot_time);
  /// Delivers what its programs sent before they ended, then restarts the kernel.
  void finish_reboot(LabHost& host);

private:
  void check_stacks(const Topology& topology, const HostOptions& options) const;
  LabHost& add_host(const netns::HostConfig& config);
  void came_up(LabHost& host, std::unique_ptr<netns::Machine> machine);
  void hear_stack(LabHost& host);

  PowerSurroundings around_;
  std::vector<std::string> required_sysctls_;
  std::map<const LabHost*, std::unique_ptr<Alarm>> boot_alarms_;
};

}  // namespace tcplab::lab
