#include "lab/hosts/namespace_maker.hh"

#include <iterator>

#include "netns/host.hh"

namespace tcplab::lab {

HostMaker::Machines NamespaceMaker::power_on(std::span<const netns::HostConfig> configs,
                                             const std::function<void()>& meanwhile) {
  auto hosts = netns::Host::power_on(configs, kind_, meanwhile);
  return {std::make_move_iterator(hosts.begin()), std::make_move_iterator(hosts.end())};
}

}  // namespace tcplab::lab
