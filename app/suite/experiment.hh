// One run of one scenario: its `run` function is the only coroutine, and its end is the run's.
#pragma once

#include <string>

#include "app/suite/scripted_run.hh"

namespace tcplab::app {

class Experiment : public ScriptedRun {
public:
  /// Loads the scenario's script again. Throws base::UsageError for a bad one.
  Experiment(const ScriptInfo& scenario, const lab::LaboratoryConfig& config,
             base::nanoseconds slack = kUsualSlack);

private:
  void check();
  void begin() override;
};

}  // namespace tcplab::app
