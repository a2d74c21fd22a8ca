#include "lab/hosts/stack_maker.hh"

#include <filesystem>
#include <utility>

namespace tcplab::lab {

namespace {

namespace fs = std::filesystem;

/// Returns the folder of the stack's program, if the command names one.
std::string folder_of(const StackChoice& stack) {
  const fs::path program = program_of(stack.command);
  return program.is_absolute() ? program.parent_path().string() : "";
}

/// Returns the host that contains a stack: without NICs.
netns::HostConfig surroundings_of(netns::HostConfig config) {
  config.nics.clear();
  config.neighbours.clear();
  config.routes.clear();
  config.sysctls.clear();
  return config;
}

}  // namespace

StackMaker::StackMaker(std::map<std::string, StackChoice> stacks, boost::asio::io_context& loop,
                       std::unique_ptr<HostMaker> others)
    : stacks_(std::move(stacks)), loop_(loop), others_(std::move(others)) {}

HostMaker::Machines StackMaker::power_on(std::span<const netns::HostConfig> configs,
                                         const std::function<void()>& meanwhile) {
  std::vector<netns::HostConfig> plain;
  for (const netns::HostConfig& config : configs) {
    const auto stack = stacks_.find(config.name);
    plain.push_back(stack == stacks_.end() ? config : surroundings_of(config));
    // All hosts have the same view of the machine's files.
    for (const auto& [host, choice] : stacks_)
      if (const std::string folder = folder_of(choice); config.containment && !folder.empty())
        plain.back().containment->shown.push_back(folder);
  }
  Machines machines = others_->power_on(plain, meanwhile);
  std::vector<StackMachine*> booting;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const auto stack = stacks_.find(configs[i].name);
    if (stack == stacks_.end()) continue;
    auto machine =
        std::make_unique<StackMachine>(loop_, configs[i], stack->second, std::move(machines[i]));
    booting.push_back(machine.get());
    machines[i] = std::move(machine);
  }
  for (StackMachine* machine : booting) machine->await_ready(meanwhile);
  return machines;
}

}  // namespace tcplab::lab
