// Runs the scenarios of requirements on TCP stacks, all side by side, and makes a table of the
// results.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/script/script.hh"
#include "app/suite/suite.hh"
#include "lab/hosts/stack_choice.hh"
#include "reports/conform/conform_views.hh"

namespace tcplab::app {

/// The name of this kernel among the stacks.
inline constexpr const char* kLinuxStack = "linux";
/// The host that has the tested stack. The other one, kang, has this kernel's.
inline constexpr const char* kTestedHost = "kodos";

/// A stack to test. Without a choice it is this kernel.
struct TestedStack {
  std::string name;
  std::optional<lab::StackChoice> choice{};
};

struct ConformOrder {
  std::vector<ScriptInfo> scenarios{};
  std::vector<base::Family> families{};
  std::vector<TestedStack> stacks{};
  std::size_t jobs = 16;
  std::filesystem::path out{};  // a run's folder is OUT/STACK/SCENARIO-FAMILY
};

struct ConformResult {
  reports::Conformance table{};
  reports::SuiteRecord first{};  // the runs of the first stack
  int exit_status = 0;           // run_suite()'s
};

/// Returns the plans: stack by stack, scenario by scenario, family by family. Real timers: a stack
/// of its own knows no others.
std::vector<RunPlan> plan_conformance(const ConformOrder& order);

/// Runs the plans, which are those of the order.
ConformResult run_conformance(const ConformOrder& order, const std::vector<RunPlan>& plans,
                              SuiteObserver& observer);

/// Adds an earlier result as the second column. What it does not have is not seen. If it is of the
/// same stack, its name has the file: "my-stack (before.json)".
void add_saved(reports::Conformance& table, const reports::SavedColumn& saved);

/// Returns the exit status, the first that applies: 2 a bad script; 1 the first stack does not meet
/// a MUST, or, with a saved column, what that one meets; 3 a run broke or failed before its
/// verdict; 4 nothing was judged; else 0.
int conform_status(const ConformResult& result, bool has_saved);

}  // namespace tcplab::app
