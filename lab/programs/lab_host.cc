#include "lab/programs/lab_host.hh"

#include <algorithm>
#include <utility>

#include "base/error.hh"
#include "lab/programs/needs.hh"

namespace tcplab::lab {

LabHost::LabHost(netns::HostConfig config, Timeline& timeline)
    : machine_(std::move(config)),
      address_(machine_.config.nics.front().addresses.front().address),
      sockets_(machine_, network_, timeline) {}

netns::Host& LabHost::namespaces(const std::string& what) {
  netns::Host* found = machine_.with_kernel_tcp(what).namespaces();
  if (found == nullptr) throw Skip(what + " needs namespace hosts; this run has kernel hosts");
  return *found;
}

void LabHost::came_up(std::unique_ptr<netns::Machine> machine) {
  machine_.came_up(std::move(machine));
  ++incarnation_;
  sockets_.came_up();
  for (const auto& prepare : at_power_on) prepare(machine_.get());
  dns_.came_up();
}

capture::HostUp LabHost::up_event() const {
  capture::HostUp up{
      .host = name(), .incarnation = incarnation_, .interfaces = {}, .is_peer = config().is_peer};
  for (const netns::NicConfig& nic : machine_.config.nics) {
    capture::Interface interface {
      nic.name, nic.mac.to_string(), {}
    };
    for (const auto& address : nic.addresses)
      interface.addresses.push_back(address.address.to_string());
    up.interfaces.push_back(std::move(interface));
  }
  return up;
}

void LabHost::power_off() {
  machine_.get();  // says it when it is off
  dns_.power_goes();
  machine_.power_off();
  sysctls_.power_went();
  sockets_.power_went();
  peer_.forget_all();
}

ScriptedPeer& LabHost::peer() {
  if (!config().is_peer)
    throw base::UsageError(name() + " has a kernel, which is its end of every connection; write " +
                           "lab:pair{ peer = \"" + name() + "\" } for a peer without one");
  machine_.get();  // says it when it is off
  return peer_;
}

void LabHost::frame_delivered(std::uint64_t number, netns::Bytes frame, base::Instant at) {
  if (!config().is_peer || !is_on()) return;
  if (const auto answer = peer_.delivered(number, frame, at)) machine_.get().send_frame(*answer);
}

const base::IpAddress& LabHost::address_of(const LabHost& other) const {
  const auto known =
      std::ranges::find(config().names, other.name(), [](const auto& each) { return each.first; });
  return known == config().names.end() ? other.address() : known->second;
}

base::Instant first_timer(const std::vector<std::unique_ptr<LabHost>>& hosts) {
  base::Instant first = base::Instant::max();
  for (const auto& host : hosts) first = std::min(first, host->sockets().first_timer());
  return first;
}

}  // namespace tcplab::lab
