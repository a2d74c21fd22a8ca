// How a run gets along with the processor that it shares: it pins itself and its programs, measures
// how long they wait, notices when the lab itself stood still, and delays its turns for --perturb.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lab/laboratory_config.hh"
#include "lab/machine/cpu_pinning.hh"
#include "lab/machine/perturbation.hh"
#include "lab/machine/processor_waits.hh"
#include "lab/machine/stall_watch.hh"
#include "lab/wire/clock.hh"

namespace tcplab::lab {

class RunProcessor {
public:
  RunProcessor(const LaboratoryConfig& config, Clock& clock, Perturbation& perturbation);
  RunProcessor(const RunProcessor&) = delete;
  RunProcessor& operator=(const RunProcessor&) = delete;

  CpuPinning& pinning() { return pinning_; }
  StallWatch& stalls() { return stalls_; }

  /// Returns the processes whose waits count: programs, and TCP stacks of their own.
  std::function<std::vector<pid_t>()> programs;
  /// Returns how long the run and its programs have waited for a processor so far.
  base::nanoseconds waited();
  /// Called at most twice a second, if the run and its programs mostly wait for a processor.
  std::function<void()> on_starved;
  /// Measures the waits, and lets other runs go first if this one is greedy. To be called several
  /// times a second.
  void look();

private:
  void delay_turn();
  void schedule_heartbeat();

  Clock& clock_;
  Perturbation& perturbation_;
  CpuPinning pinning_;
  StallWatch stalls_;
  ProcessorWaits waits_{base::now()};
  std::unique_ptr<Alarm> heartbeat_;
};

}  // namespace tcplab::lab
