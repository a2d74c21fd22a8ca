#include "netns/host_config.hh"

#include <algorithm>
#include <iterator>

namespace tcplab::netns {

std::vector<NeighbourConfig> neighbours_of(const HostConfig& host) {
  const auto is_own = [&host](const base::IpAddress& address) {
    return std::ranges::any_of(host.nics, [&address](const NicConfig& nic) {
      return std::ranges::find(nic.addresses, address, &InterfaceAddress::address) !=
             nic.addresses.end();
    });
  };
  std::vector<NeighbourConfig> others;
  others.reserve(host.neighbours.size());
  std::ranges::copy_if(host.neighbours, std::back_inserter(others),
                       [&](const NeighbourConfig& each) { return !is_own(each.address); });
  return others;
}

std::vector<NeighbourConfig> first_neighbours(const HostConfig& host) {
  return host.adds_neighbours_later ? std::vector<NeighbourConfig>{} : neighbours_of(host);
}

}  // namespace tcplab::netns
