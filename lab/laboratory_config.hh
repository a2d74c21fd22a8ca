// The configuration of a run's laboratory, and how the configuration of its hosts follows from it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lab/hosts/kernel_choice.hh"
#include "lab/machine/perturbation.hh"
#include "lab/machine/run_limits.hh"
#include "lab/plans/timers.hh"
#include "lab/plans/topology.hh"
#include "lab/record/capture_stream.hh"

namespace tcplab::lab {

struct LaboratoryConfig {
  std::filesystem::path folder;  // exists; the run's files go there
  base::Family family = base::Family::ipv4;
  TimerProfile timers = TimerProfile::fast;
  CaptureStream* stream = nullptr;    // gets a copy of the capture; lives longer
  bool is_stepped = false;            // a person delivers frames
  bool has_kernel_events = false;     // records what the hosts' kernels report
  base::nanoseconds longest_stall{};  // of the lab, while a frame waits; zero: any
  RunLimits limits{};
  std::filesystem::path script{};                   // of the scenario; empty if it has none
  bool is_trusted = false;                          // programs are not contained
  std::map<std::string, std::string> parameters{};  // what the script may ask for by name
  KernelChoice on{};                                // which kernel the hosts have
  Perturbation perturbation{std::nullopt, {}};      // --perturb

  bool has_virtual_clock() const { return on.is_own() && on.is_virtual; }
  /// Returns the release of the hosts' kernel: "6.1.176".
  std::string kernel() const;
};

/// Returns the configuration of each host: its network, sysctls and containment.
std::vector<netns::HostConfig> host_configs(const Topology& topology, const HostOptions& options,
                                            const LaboratoryConfig& config);

}  // namespace tcplab::lab
