// What befalls the network of a host while it is on: its next incarnation has it, too.
#include <algorithm>
#include <cerrno>

#include "base/error.hh"
#include "netns/netlink.hh"
#include "scenarios/engine/lab/lab_host.hh"
#include "scenarios/engine/lab/networks.hh"

namespace tcplab::engine {

namespace {

std::string described(const netns::NicConfig& nic) {
  return nic.name + (nic.link.empty() ? "" : " (" + nic.link + ")");
}

bool same_destination(const netns::RouteConfig& one, const netns::RouteConfig& other) {
  return one.destination == other.destination && one.prefix_length == other.prefix_length;
}

/// The route that packets to that destination take: of those that were made the one that says most,
/// else the kernel's own to the network of a NIC; the destination itself when there is none.
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

/// What the kernel refuses of an address or a route is the script's fault, not the lab's.
template <typename Change>
void change_network(netns::Host& machine, const Change& change) {
  try {
    const netns::NamespaceGuard inside(machine.network_namespace());
    netns::RouteSocket route;
    change(route);
  } catch (const base::SystemError& error) {
    throw base::UsageError(machine.config().name + ": " + error.what());
  }
}

}  // namespace

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
  change_network(machine(), [&](netns::RouteSocket& socket) { socket.add_route(route); });
  forget_route(route);
  config_.routes.push_back(route);
}

void LabHost::forget_route(const netns::RouteConfig& route) {
  std::erase_if(config_.routes, [&](const auto& each) { return same_destination(each, route); });
}

void LabHost::remove_route(const netns::RouteConfig& route) {
  const netns::RouteConfig gone = taken_route(config_, route);
  change_network(machine(), [&](netns::RouteSocket& socket) {
    socket.remove_route(gone.destination, gone.prefix_length);
  });
  forget_route(gone);
}

void LabHost::set_mtu(const std::string& nic, unsigned mtu) {
  change_network(machine(),
                 [&](netns::RouteSocket& socket) { socket.change_link(nic, {.mtu = mtu}); });
  find_nic(nic).mtu = mtu;
}

/// The kernel forgets routes by a NIC that goes down (fib_sync_down_dev()); they come back with it,
/// as whatever configures a real machine's network does it.
void LabHost::set_link(const std::string& nic, bool up) {
  machine().set_link(nic, up);
  if (!up) return;
  const auto& addresses = find_nic(nic).addresses;
  change_network(machine(), [&](netns::RouteSocket& socket) {
    for (const netns::RouteConfig& route : config_.routes)
      if (route.kind == netns::RouteKind::via &&
          std::ranges::any_of(addresses, [&](const auto& a) { return contains(a, route.gateway); }))
        socket.add_route(route);
  });
}

void LabHost::add_address(const std::string& nic, const netns::InterfaceAddress& address) {
  change_network(machine(), [&](netns::RouteSocket& socket) { socket.add_address(nic, address); });
  find_nic(nic).addresses.push_back(address);
  own_.insert(address.address);
}

void LabHost::remove_address(const base::IpAddress& address) {
  for (netns::NicConfig& nic : config_.nics) {
    const auto found = std::ranges::find(nic.addresses, address, &netns::InterfaceAddress::address);
    if (found == nic.addresses.end()) continue;
    change_network(machine(),
                   [&](netns::RouteSocket& socket) { socket.remove_address(nic.name, *found); });
    nic.addresses.erase(found);
    return;
  }
  throw base::UsageError(name() + " has no address " + address.to_string());
}

}  // namespace tcplab::engine
