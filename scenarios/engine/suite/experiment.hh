// One run of one scenario: its `run` function is the only coroutine, and its end is the run's.
#pragma once

#include <string>

#include "scenarios/engine/suite/scripted_run.hh"

namespace tcplab::engine {

class Experiment : public ScriptedRun {
public:
  /// Loads the scenario's script again. Throws base::UsageError for a bad one.
  Experiment(const ScriptInfo& scenario, const LaboratoryConfig& config,
             base::nanoseconds slack = kUsualSlack);

private:
  void check();
  void begin() override;
};

}  // namespace tcplab::engine
