// Which runs a command line asks for: every chosen scenario on every family, as often as wanted,
// each with an output folder of its own.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "scenarios/engine/lab/timers.hh"
#include "scenarios/engine/script/script.hh"

namespace tcplab::engine {

struct RunPlan {
  ScriptInfo script;
  base::Family family = base::Family::ipv4;
  TimerProfile timers = TimerProfile::fast;
  std::filesystem::path folder;
  std::string variant;      // "IPv6, fast, 3 of 5"
  bool is_stepped = false;  // a person lets each frame go
  bool has_kernel_events = false;
  std::string id;  // of no other run: "puzzlers/power-cycle IPv6 3"
};

struct PlanOptions {
  std::vector<base::Family> families;
  bool is_one_family = false;  // each scenario on the first of these that it is about
  TimerProfile timers = TimerProfile::fast;
  int repeat = 1;
  bool is_stepped = false;
  bool has_kernel_events = false;
  std::filesystem::path out;
};

/// A run's folder is the scenario's name, and what the command line varies: "power-cycle",
/// "power-cycle-ipv6", "power-cycle-ipv6-3".
std::vector<RunPlan> plan_runs(const std::vector<ScriptInfo>& scripts, const PlanOptions& options);

}  // namespace tcplab::engine
