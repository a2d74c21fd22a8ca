// The run's side of `tcplab run --step`: does what the person at the keys wants with the frame that
// hangs in the air, and tells what there is to be seen meanwhile, several times a second.
#pragma once

#include <memory>

#include "reports/story/snapshot.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/suite/run_channel.hh"
#include "scenarios/engine/suite/run_control.hh"

namespace tcplab::engine {

class SteppedRun {
public:
  /// Before the experiment runs. Where nobody is at the control any more, the run goes on by
  /// itself.
  SteppedRun(Experiment& experiment, RunChannelWriter& channel, base::FileDescriptor control);

private:
  void obey();
  void hold_again();
  void let_run();
  void deliver();
  void deliver_until_change();
  void see(const capture::Event& event);
  void changed();
  void tell();
  void tell_now_and_then();
  reports::Snapshot stand() const;

  Laboratory& laboratory_;
  Stepper& stepper_;
  RunChannelWriter& channel_;
  RunControlListener control_;
  std::unique_ptr<Alarm> alarm_;
  bool until_change_ = false;  // frames go on until one has changed a state
};

}  // namespace tcplab::engine
