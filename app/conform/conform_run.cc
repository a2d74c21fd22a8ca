#include "app/conform/conform_run.hh"

#include <algorithm>
#include <chrono>
#include <span>

#include "lab/hosts/kernel_choice.hh"
#include "lab/machine/run_limits.hh"

namespace tcplab::app {

using reports::Conformity;

namespace {

constexpr std::chrono::minutes kLongestRun{3};  // a scenario takes at most 20 s on an idle machine

std::vector<RunPlan> plan_column(const ConformOrder& order, const TestedStack& stack) {
  lab::RunLimits limits = lab::usual_limits();
  limits.timeout = kLongestRun;
  lab::KernelChoice on = lab::choose_kernel(std::string(lab::kThisKernel));
  if (stack.choice) on.stacks[kTestedHost] = *stack.choice;
  std::vector<RunPlan> plans = plan_runs(order.scenarios, {.families = order.families,
                                                           .timers = lab::TimerProfile::stock,
                                                           .limits = limits,
                                                           .on = on,
                                                           .out = order.out / stack.name});
  for (RunPlan& plan : plans) plan.id += " on " + stack.name;
  return plans;
}

std::string family_of(const RunPlan& plan) {
  return plan.family == base::Family::ipv4 ? "IPv4" : "IPv6";
}

/// The result of a plan; null if the suite was stopped before it.
const reports::RunResult* find(const reports::SuiteRecord& suite, const RunPlan& plan) {
  const auto found = std::ranges::find(suite.results, plan.id, &reports::RunResult::id);
  return found == suite.results.end() ? nullptr : &*found;
}

reports::ConformRun run_of(const reports::SuiteRecord& suite, const RunPlan& plan) {
  const reports::RunResult* result = find(suite, plan);
  if (result == nullptr) return {.family = family_of(plan), .reason = "it has not run"};
  return reports::conform_run(*result, family_of(plan));
}

/// The plans of a stack. Those of all stacks are equally many, one stack after the other.
std::span<const RunPlan> column_of(const std::vector<RunPlan>& plans, const ConformOrder& order,
                                   std::size_t stack) {
  const std::size_t each = plans.size() / order.stacks.size();
  return std::span(plans).subspan(stack * each, each);
}

reports::ConformCell cell_of(const reports::SuiteRecord& suite, std::span<const RunPlan> column,
                             const ScriptInfo& scenario) {
  reports::ConformCell cell;
  for (const RunPlan& plan : column)
    if (plan.script.name == scenario.name) cell.runs.push_back(run_of(suite, plan));
  return cell;
}

bool runs_on(const ScriptInfo& scenario, const std::vector<base::Family>& families) {
  return std::ranges::find_first_of(scenario.families, families) != scenario.families.end();
}

bool has_bad_script(const reports::SuiteRecord& suite) {
  return std::ranges::any_of(suite.results, [](const reports::RunResult& result) {
    return result.outcome == capture::Outcome::bad_script;
  });
}

/// A run that was skipped says why the requirement cannot be tested. Any other that shows nothing
/// broke, or failed on its way.
bool has_failed_unseen(const reports::SuiteRecord& suite) {
  return std::ranges::any_of(suite.results, [](const reports::RunResult& result) {
    return result.outcome != capture::Outcome::skipped &&
           reports::conform_run(result, "").verdict == Conformity::not_seen;
  });
}

}  // namespace

std::vector<RunPlan> plan_conformance(const ConformOrder& order) {
  std::vector<RunPlan> plans;
  for (const TestedStack& stack : order.stacks)
    for (RunPlan& plan : plan_column(order, stack)) plans.push_back(std::move(plan));
  return plans;
}

ConformResult run_conformance(const ConformOrder& order, const std::vector<RunPlan>& plans,
                              SuiteObserver& observer) {
  SuiteResult suite = run_suite(plans, {.jobs = order.jobs}, observer);
  ConformResult result{.exit_status = suite.exit_status};
  for (const TestedStack& stack : order.stacks) result.table.stacks.push_back(stack.name);
  for (const ScriptInfo& scenario : order.scenarios) {
    if (!runs_on(scenario, order.families)) continue;
    result.table.rows.push_back({.requirement = *scenario.requirement, .scenario = scenario.name});
    for (std::size_t i = 0; i < order.stacks.size(); ++i)
      result.table.rows.back().cells.push_back(
          cell_of(suite.record, column_of(plans, order, i), scenario));
  }
  result.first = std::move(suite.record);
  const std::span<const RunPlan> first = column_of(plans, order, 0);
  std::erase_if(result.first.results, [&](const reports::RunResult& run) {
    return std::ranges::find(first, run.id, &RunPlan::id) == first.end();
  });
  return result;
}

void add_saved(reports::Conformance& table, const reports::SavedColumn& saved) {
  const bool is_same = saved.stack == table.stacks.front();
  table.stacks.push_back(is_same ? saved.stack + " (" + saved.file + ")" : saved.stack);
  for (reports::ConformRow& row : table.rows) {
    const auto found = std::ranges::find(saved.cells, row.scenario,
                                         &std::pair<std::string, reports::ConformCell>::first);
    row.cells.push_back(found == saved.cells.end() ? reports::ConformCell{} : found->second);
  }
}

int conform_status(const ConformResult& result, bool has_saved) {
  if (has_bad_script(result.first)) return 2;
  const reports::ConformCounts counts = reports::counts_of(result.table, 0);
  if (counts.must_not_met > 0) return 1;
  if (has_saved && std::ranges::any_of(result.table.rows, &reports::ConformRow::is_worse)) return 1;
  if (has_failed_unseen(result.first)) return 3;
  return counts.met + counts.not_met == 0 ? 4 : 0;
}

}  // namespace tcplab::app
