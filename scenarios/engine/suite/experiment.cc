#include "scenarios/engine/suite/experiment.hh"

#include "base/error.hh"
#include "scenarios/engine/check/dry_run.hh"
#include "scenarios/engine/verbs/script_interface.hh"

namespace tcplab::engine {

Experiment::Experiment(const std::string& file, const LaboratoryConfig& config,
                       base::nanoseconds slack)
    : ScriptedRun(Script(file), config, slack) {
  context().on_end = [this](RunStatus status, const std::string& reason) {
    finish(status, reason);
  };
}

/// Refuses a script that misuses the interface before it makes any host.
void Experiment::check() {
  const LaboratoryConfig& config = laboratory().config();
  Script dry(script().info().file);
  const DryRunResult found =
      dry_run(dry, script_interface(),
              {.family = config.family, .timers = std::string(name(config.timers))});
  if (!found.errors.empty()) throw base::UsageError(found.errors.front());
}

void Experiment::begin() {
  check();
  lua_State* thread = script().start();
  push_lab(thread);
  context().start(thread, 1);
}

}  // namespace tcplab::engine
