#include "app/suite/run_plan.hh"

#include <algorithm>
#include <set>

namespace tcplab::app {

namespace {

std::string number(base::Family family) { return family == base::Family::ipv4 ? "4" : "6"; }

std::string unused(const std::string& name, std::set<std::string>& taken) {
  std::string candidate = name;
  for (int i = 2; !taken.insert(candidate).second; ++i) candidate = name + "-" + std::to_string(i);
  return candidate;
}

std::string id_of(const ScriptInfo& script, base::Family family, int turn) {
  return script.topic + "/" + script.name + " IPv" + number(family) + " " + std::to_string(turn);
}

}  // namespace

std::vector<RunPlan> plan_runs(const std::vector<ScriptInfo>& scripts, const PlanOptions& options) {
  std::vector<RunPlan> plans;
  std::set<std::string> folders;
  std::set<std::string> ids;
  for (int turn = 1; turn <= options.repeat; ++turn) {
    for (const ScriptInfo& script : scripts) {
      for (const base::Family family : options.families) {
        if (std::ranges::find(script.families, family) == script.families.end()) continue;
        RunPlan plan{.script = script,
                     .family = family,
                     .timers = options.timers,
                     .folder = {},
                     .variant = "IPv" + number(family) + ", " + std::string(name(options.timers)),
                     .is_stepped = options.is_stepped,
                     .has_kernel_events = options.has_kernel_events,
                     .limits = options.limits,
                     .is_trusted = options.is_trusted,
                     .parameters = options.parameters,
                     .on = options.on,
                     .perturbation = options.perturbation,
                     .id = {}};
        plan.variant += options.on.variant();
        std::string folder = script.name + "-ipv" + number(family);
        if (options.repeat > 1) {
          folder += "-" + std::to_string(turn);
          plan.variant += ", " + std::to_string(turn) + " of " + std::to_string(options.repeat);
        }
        plan.folder = options.out / unused(folder, folders);
        plan.id = unused(id_of(script, family, turn), ids);
        plans.push_back(std::move(plan));
        if (options.is_one_family) break;
      }
    }
  }
  return plans;
}

}  // namespace tcplab::app
