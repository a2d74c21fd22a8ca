#include "lab/hosts/stack_maker.hh"

#include <algorithm>
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

StackMaker::StackMaker(std::map<std::string, StackChoice> stacks, bool may_skip_time,
                       boost::asio::io_context& loop, std::unique_ptr<HostMaker> others)
    : stacks_(std::move(stacks)), loop_(loop), others_(std::move(others)) {
  if (may_skip_time) clock_ = std::make_unique<StackClock>();
}

std::unique_ptr<Clock> StackMaker::make_clock() {
  return clock_ ? make_virtual_clock(loop_, *clock_) : others_->make_clock();
}

void StackMaker::tell_of_clock(const std::function<void(const std::string& text)>& tell) {
  tell_ = tell;
  if (clock_) clock_->on_obstacle = tell;
}

/// A run makes all its hosts in one call, so that the first call decides. Returns whether the hosts
/// have the lab's clock.
bool StackMaker::choose_clock(std::span<const netns::HostConfig> configs) {
  if (is_virtual_) return *is_virtual_;
  const auto has_own_clock = [this](const netns::HostConfig& config) {
    const auto stack = stacks_.find(config.name);
    return stack == stacks_.end() || !stack->second.has_lab_clock;
  };
  const auto real = std::ranges::find_if(configs, has_own_clock);
  is_virtual_ = clock_ && real == configs.end();
  if (*is_virtual_) clock_->begin();
  if (!tell_) return *is_virtual_;
  if (*is_virtual_)
    tell_("the clock is virtual: it jumps while everything waits");
  else
    tell_("the clock is real" +
          (real == configs.end() ? "" : ": " + real->name + " has this machine's"));
  return *is_virtual_;
}

HostMaker::Machines StackMaker::power_on(std::span<const netns::HostConfig> configs,
                                         const std::function<void()>& meanwhile) {
  const bool is_virtual = choose_clock(configs);
  std::vector<netns::HostConfig> plain;
  for (const netns::HostConfig& config : configs) {
    const auto stack = stacks_.find(config.name);
    plain.push_back(stack == stacks_.end() ? config : surroundings_of(config));
    if (!config.containment) continue;
    // All hosts have the same view of the machine's files.
    auto& shown = plain.back().containment->shown;
    for (const auto& [host, choice] : stacks_)
      if (const std::string folder = folder_of(choice); !folder.empty()) shown.push_back(folder);
    if (is_virtual) shown.push_back(StackClockPlace::library_folder());
  }
  Machines machines = others_->power_on(plain, meanwhile);
  std::vector<StackMachine*> booting;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const auto stack = stacks_.find(configs[i].name);
    if (stack == stacks_.end()) continue;
    auto machine =
        std::make_unique<StackMachine>(loop_, configs[i], stack->second, std::move(machines[i]),
                                       is_virtual ? clock_.get() : nullptr);
    booting.push_back(machine.get());
    machines[i] = std::move(machine);
  }
  for (StackMachine* machine : booting) machine->await_ready(meanwhile);
  return machines;
}

}  // namespace tcplab::lab
