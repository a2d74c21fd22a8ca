// Turns a command line into a list of runs: each selected scenario, on each family, --repeat times.
// Each run has its own output folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/script/script.hh"
#include "base/endpoint.hh"
#include "lab/hosts/kernel_choice.hh"
#include "lab/machine/run_limits.hh"
#include "lab/plans/timers.hh"

namespace tcplab::app {

struct RunPlan {
  ScriptInfo script;
  base::Family family = base::Family::ipv4;
  lab::TimerProfile timers = lab::TimerProfile::fast;
  std::filesystem::path folder;
  std::string variant;      // "IPv6, fast, 3 of 5"
  bool is_stepped = false;  // --step: a person releases each frame
  bool has_kernel_events = false;
  lab::RunLimits limits{};
  bool is_trusted = false;                          // --trust: programs are not contained
  std::map<std::string, std::string> parameters{};  // --set NAME=VALUE
  lab::KernelChoice on{};                           // --kernel
  std::optional<std::uint64_t> perturbation{};      // the seed of --perturb
  std::string id;                                   // unique: "puzzlers/power-cycle IPv6 3"
};

struct PlanOptions {
  std::vector<base::Family> families;
  bool is_one_family = false;  // run each scenario only on the first family that it supports
  lab::TimerProfile timers = lab::TimerProfile::fast;
  int repeat = 1;
  bool is_stepped = false;
  bool has_kernel_events = false;
  lab::RunLimits limits{};
  bool is_trusted = false;
  std::map<std::string, std::string> parameters{};
  lab::KernelChoice on{};
  std::optional<std::uint64_t> perturbation{};
  std::filesystem::path out;
};

/// Returns the runs in order. A run's folder is named after the scenario, the family, and the
/// repetition if there are several: "power-cycle-ipv6", "power-cycle-ipv6-3".
std::vector<RunPlan> plan_runs(const std::vector<ScriptInfo>& scripts, const PlanOptions& options);

}  // namespace tcplab::app
