#include "netns/machine_network.hh"

#include <algorithm>
#include <iterator>
#include <vector>

namespace tcplab::netns {

RouteSocket MachineNetwork::socket_to(const std::string& attempt) {
  return RouteSocket(machine_.ask_network(attempt));
}

void MachineNetwork::add_route(const RouteConfig& route) {
  socket_to("add a route").add_route(route);
}

void MachineNetwork::remove_route(const RouteConfig& route) {
  socket_to("remove a route").remove_route(route.destination, route.prefix_length);
}

void MachineNetwork::set_mtu(const std::string& nic, unsigned mtu) {
  socket_to("change link " + nic).change_link(nic, {.mtu = mtu});
}

void MachineNetwork::set_link(const std::string& nic, bool up) {
  RouteSocket socket = socket_to("change link " + nic);
  socket.change_link(nic, {.up = up});
  if (!up) return;
  // When the link went down, the kernel deleted even the permanent neighbours (neigh_ifdown()).
  std::vector<NeighbourConfig> neighbours = first_neighbours(machine_.config());
  std::erase_if(neighbours, [&](const NeighbourConfig& each) { return each.nic != nic; });
  socket.add_neighbours(neighbours);
}

void MachineNetwork::add_address(const std::string& nic, const InterfaceAddress& address) {
  socket_to("add an address").add_address(nic, address);
}

void MachineNetwork::remove_address(const std::string& nic, const InterfaceAddress& address) {
  socket_to("remove an address").remove_address(nic, address);
}

void MachineNetwork::add_neighbours(std::span<const NeighbourConfig> neighbours) {
  socket_to("add neighbours").add_neighbours(neighbours);
}

}  // namespace tcplab::netns
