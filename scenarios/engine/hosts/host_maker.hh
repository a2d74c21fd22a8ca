// Makes the machines of a run: namespaces of this kernel, or kernels of their own, as `--on` says.
// Brings the clock that the run waits on.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "netns/machine.hh"
#include "scenarios/engine/hosts/kernel_choice.hh"
#include "scenarios/engine/wire/clock.hh"

namespace tcplab::engine {

class HostMaker {
public:
  using Machines = std::vector<std::unique_ptr<netns::Machine>>;

  virtual ~HostMaker() = default;

  /// Starts all machines in parallel. Calls `meanwhile` every millisecond until they are up. Throws
  /// base::LabError that names the host and the attempt.
  virtual Machines power_on(std::span<const netns::HostConfig> configs,
                            const std::function<void()>& meanwhile) = 0;

  /// Returns the clock of the run and its hosts.
  virtual std::unique_ptr<Clock> make_clock() = 0;

};

/// `loop`: of the run; it lives longer.
std::unique_ptr<HostMaker> make_host_maker(const KernelChoice& choice,
                                           boost::asio::io_context& loop);

}  // namespace tcplab::engine
