#include "lab/hosts/peer_maker.hh"

#include <utility>

#include "lab/hosts/peer_machine.hh"

namespace tcplab::lab {

PeerMaker::PeerMaker(std::unique_ptr<HostMaker> others) : others_(std::move(others)) {}

HostMaker::Machines PeerMaker::power_on(std::span<const netns::HostConfig> configs,
                                        const std::function<void()>& meanwhile) {
  std::vector<netns::HostConfig> with_kernel;
  for (const netns::HostConfig& config : configs)
    if (!config.is_peer) with_kernel.push_back(config);
  Machines made;
  if (!with_kernel.empty()) made = others_->power_on(with_kernel, meanwhile);
  Machines machines;
  auto next = made.begin();
  for (const netns::HostConfig& config : configs)
    machines.push_back(config.is_peer ? std::make_unique<PeerMachine>(config) : std::move(*next++));
  return machines;
}

}  // namespace tcplab::lab
