#include "scenarios/engine/lab/lab_host.hh"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/error.hh"

namespace tcplab::engine {

namespace {

constexpr std::uint8_t kTimeWaitTimer = 3;  // idiag_timer, sock_diag(7)

}  // namespace

LabHost::LabHost(netns::HostConfig config, Timeline& timeline)
    : config_(std::move(config)),
      address_(config_.nics.front().addresses.front().address),
      connections_(config_.name, timeline) {
  for (const netns::NicConfig& nic : config_.nics)
    for (const netns::InterfaceAddress& each : nic.addresses) own_.insert(each.address);
}

netns::Host& LabHost::machine() {
  if (!machine_) {
    throw base::UsageError(name() + " has no power; " + name() + ":power_on() gives it back");
  }
  return *machine_;
}

void LabHost::came_up(std::unique_ptr<netns::Host> machine) {
  machine_ = std::move(machine);
  ++incarnation_;
  const netns::NamespaceGuard inside(machine_->network_namespace());
  sockets_ = std::make_unique<capture::SocketTable>();
}

void LabHost::power_off() {
  machine().power_off();
  machine_.reset();
  sockets_.reset();
  connections_.forget_all(base::now());
}

void LabHost::look_at(const ConnectionKey& key, base::Instant at, const Cause& cause) {
  // What a router forwards is not its own: its kernel has no socket to be asked for.
  if (!is_on() || !own_.contains(key.local.address)) return;
  connections_.observe(key, sockets_->find(key.local, key.remote), at, cause);
}

void LabHost::look_at_all(const Cause& cause) {
  if (!is_on()) return;
  const auto sockets = sockets_->dump();
  looked_at_ = base::now();
  connections_.observe_all(sockets, looked_at_, cause);
}

void LabHost::look_at_destroyed() {
  if (!is_on()) return;
  sockets_->take_destroyed();
  look_at_all(Cause{.what = capture::StateCause::destroyed});
}

std::optional<base::Instant> LabHost::next_expiry() const {
  std::optional<base::Instant> next;
  for (const auto& [key, socket] : connections_.sockets()) {
    if (socket.timer != kTimeWaitTimer) continue;
    const base::Instant expiry = looked_at_ + std::chrono::milliseconds(socket.timer_expires_ms);
    next = next ? std::min(*next, expiry) : expiry;
  }
  return next;
}

std::optional<base::nanoseconds> LabHost::retransmission_timeout(const ConnectionKey& key) const {
  if (!is_on()) return std::nullopt;
  return sockets_->retransmission_timeout(key.local, key.remote);
}

std::vector<capture::SocketDetail> LabHost::socket_details() const {
  std::vector<capture::SocketDetail> details;
  if (!is_on()) return details;
  for (const auto& [key, socket] : connections_.sockets())
    if (key.remote.port != 0)
      if (const auto detail = sockets_->detail(key.local, key.remote)) details.push_back(*detail);
  return details;
}

void LabHost::write_sysctl(const std::string& name, const std::string& value) {
  machine().write_sysctl(name, value);
  std::erase_if(config_.sysctls, [&](const auto& sysctl) { return sysctl.first == name; });
  config_.sysctls.emplace_back(name, value);  // the next incarnation has it, too
}

long LabHost::read_sysctl(const std::string& name, long built_in) {
  if (!machine().has_sysctl(name)) return built_in;
  return std::strtol(machine().read_sysctl(name).c_str(), nullptr, 10);
}

}  // namespace tcplab::engine
