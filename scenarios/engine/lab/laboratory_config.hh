// The configuration of a run's laboratory, and of its hosts that follows from it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scenarios/engine/hosts/kernel_choice.hh"
#include "scenarios/engine/lab/capture_stream.hh"
#include "scenarios/engine/lab/timers.hh"
#include "scenarios/engine/lab/topology.hh"
#include "scenarios/engine/machine/run_limits.hh"

namespace tcplab::engine {

struct LaboratoryConfig {
  std::filesystem::path folder;  // exists; the run's files go there
  base::Family family = base::Family::ipv4;
  TimerProfile timers = TimerProfile::fast;
  std::size_t run = 0;              // the number of the run in a suite, which selects its processor
  CaptureStream* stream = nullptr;  // gets a copy of the capture; lives longer
  bool is_stepped = false;          // a person delivers frames
  bool has_kernel_events = false;   // records what the hosts' kernels report
  base::nanoseconds longest_stall{};  // of the lab, while a frame waits; zero: any
  RunLimits limits{};
  std::filesystem::path script{};                   // of the scenario; empty if it has none
  bool is_trusted = false;                          // programs are not contained
  std::map<std::string, std::string> parameters{};  // what the script may ask for by name
  KernelChoice on{};                                // which kernel the hosts have

  bool has_virtual_clock() const { return on.is_own() && on.is_virtual; }
  /// Returns the release of the hosts' kernel: "6.1.176".
  std::string kernel() const;
};

/// Returns the configuration of each host: its network, sysctls and containment.
std::vector<netns::HostConfig> host_configs(const Topology& topology, const HostOptions& options,
                                            const LaboratoryConfig& config);

}  // namespace tcplab::engine
