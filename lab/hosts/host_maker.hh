// Makes the machines of a run, and owns the clock that the run waits on. `--kernel` decides whether
// they are namespace hosts or kernel hosts.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/wire/clock.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

class HostMaker {
public:
  using Machines = std::vector<std::unique_ptr<netns::Machine>>;

  virtual ~HostMaker() = default;

  /// The run will read the tracepoints of the machines that are started from here on.
  virtual void prepare_tracepoints() {}

  /// Starts all machines in parallel. Calls `meanwhile` every millisecond until they are up. Throws
  /// base::LabError that names the host and the attempt.
  virtual Machines power_on(std::span<const netns::HostConfig> configs,
                            const std::function<void()>& meanwhile) = 0;

  /// Returns the clock of the run and its hosts.
  virtual std::unique_ptr<Clock> make_clock() = 0;

  /// From here on, calls `tell` with what people should know of that clock.
  virtual void tell_of_clock(const std::function<void(const std::string& text)>& /*tell*/) {}
};

}  // namespace tcplab::lab
