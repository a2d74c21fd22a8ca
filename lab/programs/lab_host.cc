#include "lab/programs/lab_host.hh"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "base/error.hh"
#include "lab/plans/networks.hh"
#include "lab/programs/needs.hh"

namespace tcplab::lab {

namespace {

constexpr std::size_t kFewSockets = 200;
constexpr std::uint8_t kTimeWaitTimer = 3;  // idiag_timer, sock_diag(7)

std::string described(const netns::NicConfig& nic) {
  return nic.name + (nic.link.empty() ? "" : " (" + nic.link + ")");
}

bool same_destination(const netns::RouteConfig& one, const netns::RouteConfig& other) {
  return one.destination == other.destination && one.prefix_length == other.prefix_length;
}

/// Returns the route of packets to that destination: the most specific of the script's routes, or
/// the kernel's own to the network of a NIC; the destination itself if there is none.
netns::RouteConfig taken_route(const netns::HostConfig& config, const netns::RouteConfig& to) {
  netns::RouteConfig taken = to;
  bool found = false;
  const auto consider = [&](const netns::RouteConfig& route) {
    if (route.prefix_length > to.prefix_length ||
        (found && route.prefix_length <= taken.prefix_length) ||
        !contains({route.destination, route.prefix_length}, to.destination))
      return;
    taken = route;
    found = true;
  };
  for (const netns::RouteConfig& route : config.routes) consider(route);
  for (const netns::NicConfig& nic : config.nics)
    for (const netns::InterfaceAddress& address : nic.addresses)
      consider({.destination = network_address(address), .prefix_length = address.prefix_length});
  return taken;
}

/// If the kernel refuses an address or a route, the script is wrong, not the lab.
template <typename Change>
void change_network(netns::Machine& machine, const Change& change) {
  try {
    change(machine);
  } catch (const base::SystemError& error) {
    throw base::UsageError(machine.config().name + ": " + error.what());
  }
}

}  // namespace

LabHost::LabHost(netns::HostConfig config, Timeline& timeline)
    : config_(std::move(config)),
      address_(config_.nics.front().addresses.front().address),
      connections_(config_.name, timeline) {
  for (const netns::NicConfig& nic : config_.nics)
    for (const netns::InterfaceAddress& each : nic.addresses) own_.insert(each.address);
}

netns::Machine& LabHost::machine() {
  if (!machine_) {
    throw base::UsageError(name() + " has no power; " + name() + ":power_on() gives it back");
  }
  return *machine_;
}

netns::Host& LabHost::namespaces(const std::string& what) {
  netns::Host* found = machine().namespaces();
  if (found == nullptr) throw Skip(what + " needs namespace hosts; this run has kernel hosts");
  return *found;
}

void LabHost::came_up(std::unique_ptr<netns::Machine> machine) {
  machine_ = std::move(machine);
  ++incarnation_;
  sockets_ =
      std::make_unique<capture::SocketTable>(machine_->ask_sockets(), machine_->hear_destroyed());
  for (const auto& prepare : at_power_on) prepare(*machine_);
  if (!resolver_file_.empty()) machine_->write_resolver_file(resolver_file_);
  if (resolver_) start_resolver();
}

capture::HostUp LabHost::up_event() const {
  capture::HostUp up{.host = name(), .incarnation = incarnation_, .interfaces = {}};
  for (const netns::NicConfig& nic : config_.nics) {
    capture::Interface interface {
      nic.name, nic.mac.to_string(), {}
    };
    for (const auto& address : nic.addresses)
      interface.addresses.push_back(address.address.to_string());
    up.interfaces.push_back(std::move(interface));
  }
  return up;
}

void LabHost::serve_names(std::unique_ptr<Resolver> resolver) {
  machine();  // says it when it is off
  resolver_ = std::move(resolver);
  start_resolver();
}

void LabHost::start_resolver() {
  std::vector<base::IpAddress> addresses;
  for (const netns::NicConfig& nic : config_.nics)
    for (const netns::InterfaceAddress& own : nic.addresses) addresses.push_back(own.address);
  resolver_->start(machine(), addresses);
}

void LabHost::use_resolvers(const std::string& resolver_file) {
  resolver_file_ = resolver_file;
  if (is_on()) machine_->write_resolver_file(resolver_file);
}

void LabHost::power_off() {
  machine();  // says it when it is off
  if (resolver_) resolver_->stop();
  machine_->power_off();
  paused_.clear();  // the next machine begins with config_
  machine_.reset();
  sockets_.reset();
  connections_.forget_all(base::now());
}

void LabHost::look_at(const ConnectionKey& key, base::Instant at, const Cause& cause) {
  // A router has no socket for what it forwards.
  if (!is_on() || !own_.contains(key.local.address)) return;
  const std::optional<netns::FrameAnswer> said = machine_->frame_answer();
  if (!said || said->local != key.local || said->remote != key.remote)
    return observe(key, sockets_->detail(key.local, key.remote), at, cause);
  for (const base::Bytes answer : said->answers)
    observe(key, capture::SocketTable::read_detail(answer), at, cause);
}

void LabHost::observe(const ConnectionKey& key, const std::optional<capture::SocketDetail>& found,
                      base::Instant at, const Cause& cause) {
  // A passive open comes from LISTEN, which no frame shows.
  if (found && found->socket.state == capture::TcpState::syn_recv &&
      !connections_.listens(key.local))
    look_at_listeners();
  connections_.observe(key, found ? std::optional(found->socket) : std::nullopt, at, cause);
  if (found && found->sending) connections_.note_sending(key, *found->sending, at, cause.frame);
}

void LabHost::look_at_all(const Cause& cause) {
  if (!is_on()) return;
  const auto sockets = sockets_->dump();
  looked_at_ = base::now();
  connections_.observe_all(sockets, looked_at_, cause);
}

void LabHost::look_at_destroyed() {
  if (!is_on()) return;
  const Cause cause{.what = capture::StateCause::destroyed};
  const capture::Destroyed destroyed = sockets_->take_destroyed();
  if (connections_.sockets().size() <= kFewSockets) return look_at_all(cause);
  // A look at all of them for each that ends would take time in the square of their number. Those
  // that the kernel does not name are found by the next poll.
  for (const auto& [local, remote] : destroyed.connections)
    connections_.observe({local, remote}, sockets_->find(local, remote), base::now(), cause);
}

void LabHost::look_at_listeners() {
  if (!is_on()) return;
  constexpr auto kListen = 1U << static_cast<unsigned>(capture::TcpState::listen);
  connections_.observe_listeners(sockets_->dump(kListen), base::now(),
                                 Cause{.what = capture::StateCause::poll});
}

template <typename Chosen>
std::optional<base::Instant> LabHost::first_of(const Chosen& chosen) const {
  std::optional<base::Instant> first;
  for (const auto& [key, socket] : connections_.sockets()) {
    if (!chosen(socket)) continue;
    const base::Instant expiry = looked_at_ + std::chrono::milliseconds(socket.timer_expires_ms);
    first = first ? std::min(*first, expiry) : expiry;
  }
  return first;
}

std::optional<base::Instant> LabHost::next_expiry() const {
  return first_of([](const capture::Socket& socket) { return socket.timer == kTimeWaitTimer; });
}

base::Instant LabHost::first_timer() const {
  const auto first = first_of([](const capture::Socket& socket) { return socket.timer != 0; });
  return first.value_or(base::Instant::max());
}

base::Instant first_timer(const std::vector<std::unique_ptr<LabHost>>& hosts) {
  base::Instant first = base::Instant::max();
  for (const auto& host : hosts) first = std::min(first, host->first_timer());
  return first;
}

std::optional<base::nanoseconds> LabHost::retransmission_timeout(const ConnectionKey& key) const {
  if (!is_on()) return std::nullopt;
  return sockets_->retransmission_timeout(key.local, key.remote);
}

std::optional<capture::SocketDetail> LabHost::socket_detail(const ConnectionKey& key) const {
  if (!is_on()) return std::nullopt;
  return sockets_->detail(key.local, key.remote);
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
  if (const auto paused = paused_.find(name); paused != paused_.end())
    paused->second = value;  // from resume() on
  else
    machine().write_sysctl(name, value);
  std::erase_if(config_.sysctls, [&](const auto& sysctl) { return sysctl.first == name; });
  config_.sysctls.emplace_back(name, value);  // the next incarnation has it, too
}

void LabHost::pause(const netns::Sysctls& sysctls) {
  if (!is_on() || !paused_.empty()) return;
  for (const auto& [name, value] : sysctls) {
    if (!machine().has_sysctl(name)) continue;
    paused_[name] = machine().read_sysctl(name);
    machine().write_sysctl(name, value);
  }
}

void LabHost::resume() {
  const auto before = std::exchange(paused_, {});
  if (!is_on()) return;
  for (const auto& [name, value] : before) machine().write_sysctl(name, value);
}

long LabHost::read_sysctl(const std::string& name, long built_in) {
  if (const auto paused = paused_.find(name); paused != paused_.end())
    return std::strtol(paused->second.c_str(), nullptr, 10);
  if (!machine().has_sysctl(name)) return built_in;
  return std::strtol(machine().read_sysctl(name).c_str(), nullptr, 10);
}

netns::NicConfig& LabHost::find_nic(const std::string& nic) {
  std::string known;
  for (netns::NicConfig& card : config_.nics) {
    if (card.name == nic || (!nic.empty() && card.link == nic)) return card;
    known += (known.empty() ? "" : ", ") + described(card);
  }
  throw base::UsageError(name() + " has no NIC or link \"" + nic + "\"; it has " + known);
}

const base::IpAddress& LabHost::address_of(const LabHost& other) const {
  const auto known =
      std::ranges::find(config_.names, other.name(), [](const auto& each) { return each.first; });
  return known == config_.names.end() ? other.address() : known->second;
}

void LabHost::add_route(const netns::RouteConfig& route) {
  change_network(machine(), [&](netns::Machine& on) { on.add_route(route); });
  forget_route(route);
  config_.routes.push_back(route);
}

void LabHost::forget_route(const netns::RouteConfig& route) {
  std::erase_if(config_.routes, [&](const auto& each) { return same_destination(each, route); });
}

void LabHost::remove_route(const netns::RouteConfig& route) {
  const netns::RouteConfig gone = taken_route(config_, route);
  change_network(machine(), [&](netns::Machine& on) { on.remove_route(gone); });
  forget_route(gone);
}

void LabHost::set_mtu(const std::string& nic, unsigned mtu) {
  change_network(machine(), [&](netns::Machine& on) { on.set_mtu(nic, mtu); });
  find_nic(nic).mtu = mtu;
}

/// The kernel forgets the routes of a NIC that goes down (fib_sync_down_dev()). They are added
/// again when it comes up, as the network configuration of a real machine does.
void LabHost::set_link(const std::string& nic, bool up) {
  machine().set_link(nic, up);
  if (!up) return;
  const auto& addresses = find_nic(nic).addresses;
  change_network(machine(), [&](netns::Machine& on) {
    for (const netns::RouteConfig& route : config_.routes)
      if (route.kind == netns::RouteKind::via &&
          std::ranges::any_of(addresses, [&](const auto& a) { return contains(a, route.gateway); }))
        on.add_route(route);
  });
}

void LabHost::add_address(const std::string& nic, const netns::InterfaceAddress& address) {
  change_network(machine(), [&](netns::Machine& on) { on.add_address(nic, address); });
  find_nic(nic).addresses.push_back(address);
  own_.insert(address.address);
}

void LabHost::remove_address(const base::IpAddress& address) {
  for (netns::NicConfig& nic : config_.nics) {
    const auto found = std::ranges::find(nic.addresses, address, &netns::InterfaceAddress::address);
    if (found == nic.addresses.end()) continue;
    change_network(machine(), [&](netns::Machine& on) { on.remove_address(nic.name, *found); });
    nic.addresses.erase(found);
    return;
  }
  throw base::UsageError(name() + " has no address " + address.to_string());
}

}  // namespace tcplab::lab
