// The run's side of `tcplab run --step`. It delivers or loses the held frame as the user asks, and
// sends a snapshot of the lab ten times a second.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include "app/suite/experiment.hh"
#include "app/suite/run_channel.hh"
#include "app/suite/run_control.hh"
#include "reports/story/snapshot.hh"

namespace tcplab::app {

class SteppedRun {
public:
  /// Construct it before the experiment runs. If the control socket closes, the run continues
  /// without pauses.
  SteppedRun(Experiment& experiment, RunChannelWriter& channel, base::FileDescriptor control);

private:
  void obey();
  void hold_again();
  void let_run();
  void deliver();
  void deliver_until_change();
  void see(const capture::Event& event);
  void changed();
  bool time_stops() const { return laboratory_.clock().can_stand_still(); }
  void keep_kernels_patient();
  void tell();
  void tell_now_and_then();
  reports::Snapshot stand() const;

  lab::Laboratory& laboratory_;
  lab::Stepper& stepper_;
  RunChannelWriter& channel_;
  RunControlListener control_;
  boost::asio::steady_timer ticks_;
  base::Instant patient_until_{};
  bool until_change_ = false;  // deliver frames until one changes a state
};

}  // namespace tcplab::app
