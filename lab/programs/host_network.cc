#include "lab/programs/host_network.hh"

#include <algorithm>

#include "base/error.hh"
#include "capture/decode/decode.hh"
#include "lab/plans/networks.hh"
#include "lab/wire/neighbour_answer.hh"
#include "netns/machine_network.hh"

namespace tcplab::lab {

namespace {

constexpr const char* kChange = "to change a host's network";

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
    netns::MachineNetwork network(machine);
    change(network);
  } catch (const base::SystemError& error) {
    throw base::UsageError(machine.config().name + ": " + error.what());
  }
}

}  // namespace

HostNetwork::HostNetwork(HostMachine& machine) : machine_(machine) {
  for (const netns::NicConfig& nic : machine_.config.nics)
    for (const netns::InterfaceAddress& each : nic.addresses) own_.insert(each.address);
}

netns::NicConfig& HostNetwork::find_nic(const std::string& nic) {
  std::string known;
  for (netns::NicConfig& card : machine_.config.nics) {
    if (card.name == nic || (!nic.empty() && card.link == nic)) return card;
    known += (known.empty() ? "" : ", ") + described(card);
  }
  throw base::UsageError(machine_.name() + " has no NIC or link \"" + nic + "\"; it has " + known);
}

void HostNetwork::add_route(const netns::RouteConfig& route) {
  change_network(machine_.with_kernel_tcp(kChange),
                 [&](netns::MachineNetwork& on) { on.add_route(route); });
  forget_route(route);
  machine_.config.routes.push_back(route);
}

void HostNetwork::forget_route(const netns::RouteConfig& route) {
  std::erase_if(machine_.config.routes,
                [&](const auto& each) { return same_destination(each, route); });
}

void HostNetwork::remove_route(const netns::RouteConfig& route) {
  const netns::RouteConfig gone = taken_route(machine_.config, route);
  change_network(machine_.with_kernel_tcp(kChange),
                 [&](netns::MachineNetwork& on) { on.remove_route(gone); });
  forget_route(gone);
}

void HostNetwork::set_mtu(const std::string& nic, unsigned mtu) {
  change_network(machine_.with_kernel_tcp(kChange),
                 [&](netns::MachineNetwork& on) { on.set_mtu(nic, mtu); });
  find_nic(nic).mtu = mtu;
}

/// The kernel forgets the routes of a NIC that goes down (fib_sync_down_dev()). They are added
/// again when it comes up, as the network configuration of a real machine does.
void HostNetwork::set_link(const std::string& nic, bool up) {
  netns::MachineNetwork(machine_.with_kernel_tcp(kChange)).set_link(nic, up);
  if (!up) return;
  const auto& addresses = find_nic(nic).addresses;
  change_network(machine_.with_kernel_tcp(kChange), [&](netns::MachineNetwork& on) {
    for (const netns::RouteConfig& route : machine_.config.routes)
      if (route.kind == netns::RouteKind::via &&
          std::ranges::any_of(addresses, [&](const auto& a) { return contains(a, route.gateway); }))
        on.add_route(route);
  });
}

void HostNetwork::add_address(const std::string& nic, const netns::InterfaceAddress& address) {
  change_network(machine_.with_kernel_tcp(kChange),
                 [&](netns::MachineNetwork& on) { on.add_address(nic, address); });
  find_nic(nic).addresses.push_back(address);
  own_.insert(address.address);
}

void HostNetwork::remove_address(const base::IpAddress& address) {
  for (netns::NicConfig& nic : machine_.config.nics) {
    const auto found = std::ranges::find(nic.addresses, address, &netns::InterfaceAddress::address);
    if (found == nic.addresses.end()) continue;
    change_network(machine_.with_kernel_tcp(kChange),
                   [&](netns::MachineNetwork& on) { on.remove_address(nic.name, *found); });
    nic.addresses.erase(found);
    return;
  }
  throw base::UsageError(machine_.name() + " has no address " + address.to_string());
}

bool HostNetwork::adds_neighbours_later() const {
  return machine_.config.adds_neighbours_later && machine_.is_on() &&
         machine_.get().own_stack().empty() && !machine_.config.is_peer;
}

bool HostNetwork::add_asked_neighbour(const std::string& nic, netns::Bytes frame) {
  constexpr std::uint8_t kGroup = 1;  // a kernel that knows no link address asks all neighbours
  if (!adds_neighbours_later() || frame.empty() || (frame[0] & kGroup) == 0) return false;
  const auto asked = asked_neighbour(capture::decode(frame));
  const auto& known = machine_.config.neighbours;
  const auto found = std::ranges::find_if(
      known, [&](const auto& each) { return each.nic == nic && each.address == asked; });
  if (found == known.end()) return false;
  try {
    netns::MachineNetwork(machine_.get()).add_neighbours({found, 1});
  } catch (const base::SystemError&) {
    return false;  // a program on the host has deleted the NIC, for example
  }
  return true;
}

void HostNetwork::add_other_neighbours(const std::string& nic) {
  if (!adds_neighbours_later()) return;
  std::vector<netns::NeighbourConfig> others = neighbours_of(machine_.config);
  std::erase_if(others, [&](const auto& each) { return each.nic != nic; });
  netns::MachineNetwork(machine_.get()).add_neighbours(others);
}

}  // namespace tcplab::lab
