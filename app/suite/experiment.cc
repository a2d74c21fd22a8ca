#include "app/suite/experiment.hh"

#include "app/check/dry_run.hh"
#include "app/verbs/script_interface.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

Script load(const std::string& file, const std::string& case_name) {
  Script script(file);
  script.choose_case(case_name);
  return script;
}

}  // namespace

Experiment::Experiment(const ScriptInfo& scenario, const lab::LaboratoryConfig& config,
                       base::nanoseconds slack)
    : ScriptedRun(load(scenario.file, scenario.case_name), config, slack) {
  context().on_end = [this](RunStatus status, const std::string& reason) {
    finish(status, reason);
  };
}

/// Refuses a script that misuses the interface before it makes any host.
void Experiment::check() {
  const lab::LaboratoryConfig& config = laboratory().config();
  Script dry = load(script().info().file, script().info().case_name);
  const DryRunResult found =
      dry_run(dry, script_interface(),
              {.family = config.family, .timers = std::string(name(config.timers))});
  if (!found.errors.empty()) throw base::UsageError(found.errors.front());
}

void Experiment::begin() {
  check();
  lua_State* thread = script().start();
  push_lab(thread);
  context().start(thread, 1 + script().push_case(thread));
}

}  // namespace tcplab::app
