#include "lab/power.hh"

#include <algorithm>
#include <span>

#include "base/error.hh"
#include "lab/programs/late_sysctls.hh"
#include "lab/programs/needs.hh"

namespace tcplab::lab {

std::vector<LabHost*> Power::make_hosts(const Topology& topology, const HostOptions& options) {
  const LaboratoryConfig& config = around_.config;
  if (!around_.hosts.all().empty())
    throw base::UsageError("a run makes all its hosts in one call; name them all there");
  if (config.on.is_own() && options.has_offloads)
    throw Skip("offloads need namespace hosts; this run has kernel hosts");
  if (options.has_offloads && !options.peers.empty())
    throw base::UsageError("a peer has no offloads: option `peer` does not go with `offload`");
  check_stacks(topology, options);
  const std::vector<netns::HostConfig> configs = host_configs(topology, options, config);
  LateSysctls late(required_sysctls_);
  if (config.on.is_own() && !options.congestion.empty()) late.add(kCongestionControl);
  auto machines = around_.maker.power_on(late.without(configs), {});
  std::vector<LabHost*> made;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (!configs[i].is_peer) late.set(*machines[i], configs[i], config.kernel());
    made.push_back(&add_host(configs[i]));
    came_up(*made.back(), std::move(machines[i]));
  }
  around_.stalls.alive(base::now());  // until now nothing could send a frame
  return made;
}

/// A TCP stack of its own has one NIC, and neither sysctls nor offloads.
void Power::check_stacks(const Topology& topology, const HostOptions& options) const {
  for (const auto& [host, stack] : around_.config.on.stacks) {
    const auto plan = std::ranges::find(topology.hosts, host, &HostPlan::name);
    // Its result would say nothing about that stack.
    if (plan == topology.hosts.end()) throw Skip("it has no host " + host);
    if (std::ranges::find(options.peers, host) != options.peers.end())
      throw Skip(host + " is a peer, and has no TCP stack");
    const auto refuse = [&host = host, &stack = stack](const std::string& what) {
      throw lacks_kernel_tcp(what, host, stack.name);
    };
    if (plan->links.size() > 1) refuse("a second NIC");
    if (!options.sysctls.empty()) refuse("the sysctl " + options.sysctls.front().first);
    if (!options.congestion.empty()) refuse("the congestion control " + options.congestion);
    if (options.has_offloads) refuse("an offload");
  }
}

LabHost& Power::add_host(const netns::HostConfig& config) {
  LabHost& host = around_.hosts.add(std::make_unique<LabHost>(config, around_.timeline));
  host.sockets().connections().on_owner = [this, &host](const ConnectionKey& key,
                                                        std::uint32_t inode) {
    around_.programs.owners().appeared(host.name(), key, inode);
  };
  return host;
}

void Power::came_up(LabHost& host, std::unique_ptr<netns::Machine> machine) {
  host.came_up(std::move(machine));
  around_.timeline.append(base::now(), host.up_event());
  hear_stack(host);
  around_.sockets.watch(host);
  if (!host.config().is_peer) around_.kernels.came_up(host);
  around_.network.came_up(host);
  for (const BootProgram& program : host.boot_programs) {
    around_.network.pump();
    around_.programs.start(host, program.command, program.options);
  }
}

/// What a TCP stack of its own writes is like the output of a program with its name.
void Power::hear_stack(LabHost& host) {
  const std::string stack = host.machine().own_stack();
  if (stack.empty()) return;
  host.machine().hear_stack([this, name = host.name(), stack](const std::string& stream,
                                                              const std::string& text) {
    around_.timeline.append(base::now(), capture::Program{.host = name,
                                                          .program = stack,
                                                          .change = capture::ProgramChange::wrote,
                                                          .command = {},
                                                          .stream = stream,
                                                          .text = text});
  });
}

void Power::off(LabHost& host) {
  host.machine();                    // says it when it is off already
  around_.network.power_goes(host);  // first: nothing of what follows can reach the wire
  around_.kernels.power_goes(host);
  around_.sockets.forget(host);
  around_.programs.power_goes(host);
  host.power_off();
}

void Power::on(LabHost& host) {
  if (host.is_on()) throw base::UsageError(host.name() + " has power already");
  const netns::HostConfig config = host.config();
  auto machines = around_.maker.power_on(std::span(&config, 1), [this] { around_.network.pump(); });
  came_up(host, std::move(machines.front()));
}

void Power::on_later(LabHost& host, base::nanoseconds boot_time) {
  auto& alarm = boot_alarms_[&host];
  if (!alarm) alarm = around_.clock.make_alarm();
  alarm->set(around_.clock.now() + boot_time, [this, &host] {
    if (!host.is_on()) on(host);
  });
}

void Power::finish_reboot(LabHost& host) {
  host.machine().settle([this] { around_.network.pump(); });
  around_.network.pump();
  Stepper& stepper = around_.network.frames().stepper();
  while (!stepper.hanging().empty()) stepper.deliver();
  off(host);
  on(host);
}

}  // namespace tcplab::lab
