#include "scenarios/engine/suite/experiment.hh"

#include "scenarios/engine/verbs/script_interface.hh"

namespace tcplab::engine {

Experiment::Experiment(const std::string& file, const LaboratoryConfig& config,
                       base::nanoseconds slack)
    : ScriptedRun(Script(file), config, slack) {
  context().on_end = [this](RunStatus status, const std::string& reason) {
    finish(status, reason);
  };
}

void Experiment::begin() {
  lua_State* thread = script().start();
  push_lab(thread);
  context().start(thread, 1);
}

}  // namespace tcplab::engine
