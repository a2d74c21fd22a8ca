// What a laboratory does to the power, the cables and the programs of its hosts.
#include <algorithm>
#include <csignal>

#include "base/error.hh"
#include "lab/laboratory.hh"
#include "lab/programs/nft.hh"

namespace tcplab::lab {

void Laboratory::power_on(LabHost& host) {
  if (host.is_on()) throw base::UsageError(host.name() + " has power already");
  const netns::HostConfig config = host.config();
  auto machines = maker_->power_on(std::span(&config, 1), [this] { pump(); });
  came_up(host, std::move(machines.front()));
}

void Laboratory::power_on_later(LabHost& host, base::nanoseconds boot_time) {
  auto& alarm = boot_alarms_[&host];
  if (!alarm) alarm = clock_->make_alarm();
  alarm->set(clock_->now() + boot_time, [this, &host] {
    if (!host.is_on()) power_on(host);
  });
}

void Laboratory::finish_reboot(LabHost& host) {
  pump();
  while (!watch_.stepper().hanging().empty()) watch_.stepper().deliver();
  power_off(host);
  power_on(host);
}

void Laboratory::unplug(LabHost& host, const std::string& nic) {
  std::erase_if(host.ports, [&](const auto& plugged) {
    if (!nic.empty() && plugged.first != nic) return false;
    wire_.detach(plugged.second);
    watch_.unplugged(plugged.second);
    return true;
  });
}

void Laboratory::plug(LabHost& host, const std::string& nic) {
  for (const netns::NicConfig& card : host.config().nics) {
    if ((!nic.empty() && card.name != nic) || host.ports.contains(card.name)) continue;
    const netns::PortId port =
        wire_.attach(host.machine().port(card.name), card.mac, link_of(card));
    host.ports[card.name] = port;
    watch_.plugged(host, card, port);
  }
}

void Laboratory::load_ruleset(LabHost& host, const std::string& ruleset) {
  lab::load_ruleset(host.machine(), ruleset, [this] { pump(); });
  if (ruleset.find("flush ruleset") != std::string::npos) host.rulesets.clear();
  host.rulesets.push_back(ruleset);
}

void Laboratory::terminate_programs(LabHost& host) {
  for (const auto& program : programs_)
    if (program->host() == host.name()) program->expect_end();
  signal_programs(host, SIGTERM);
}

void Laboratory::signal_programs(LabHost& host, int signal) {
  host.machine();  // says it when it is off
  host_signals_.act([&host, signal] {
    if (host.is_on()) host.machine().signal_programs(signal);
  });
}

bool Laboratory::has_running_programs(const LabHost& host) const {
  return std::ranges::any_of(programs_, [&](const auto& program) {
    return program->host() == host.name() && program->running();
  });
}

void Laboratory::kill_programs(LabHost& host) { signal_programs(host, SIGKILL); }

}  // namespace tcplab::lab
