// Makes the record of a call that failed: from the calls that a tracer has reported, and from a
// look at the process while the tracer holds the thread at the call's return.
#pragma once

#include "capture/follow/call_tracker.hh"
#include "capture/stacks/program_stack.hh"
#include "capture/stacks/stack_names.hh"
#include "look/failure_record.hh"

namespace tcplab::look {

/// Records the failures of one program and of the processes that it starts. The thread that traces
/// them calls all functions.
class FailureRecorder {
public:
  /// Follows the calls, from the first one on.
  void note(const capture::Call& call, base::Instant at) { tracker_.note(call, at); }

  /// Returns the record of a call. note() has had it, and its thread is stopped at its return.
  /// Takes up to a second for a program with much debug information. Throws base::UsageError if the
  /// process has ended.
  FailureRecord record(const capture::Call& call, base::Instant at, FailureAct act);

private:
  RecordedConnection recorded(LookedConnection connection, const capture::Call& call) const;
  std::vector<std::string> frames_of(const capture::Call& call);

  capture::CallTracker tracker_{kRecordedCalls};
  capture::StackReader stacks_;
  capture::StackNames names_;
};

}  // namespace tcplab::look
