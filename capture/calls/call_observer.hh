// The interface that receives a tracer's observations.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/clock.hh"
#include "capture/calls/injections.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

/// An entry is reported if the call has not returned after this time.
inline constexpr base::nanoseconds kBlocksAfter = std::chrono::milliseconds(1);

class CallObserver {
public:
  virtual ~CallObserver() = default;
  /// A call that still blocks after kBlocksAfter (phase enter), or one that has returned. Its
  /// thread is then stopped.
  virtual void on_call(TracedProgram program, base::Instant at, const Call& call) = 0;
  /// A call whose entry was reported has returned, and its return is not: epoll_wait(2) for a
  /// descriptor that is no TCP socket.
  virtual void on_other_return(TracedProgram /*program*/, pid_t /*thread*/) {}
  /// A thread has reached a probe that the user wants to see (StopPoints). It is then stopped.
  virtual void on_probe(TracedProgram /*program*/, base::Instant /*at*/, const Probe& /*probe*/) {}
  /// A process makes calls that the tracer cannot see; `why` for people. Once for each reason.
  virtual void on_unseen(TracedProgram program, pid_t process, const std::string& why) = 0;
  /// A process is about to end by itself: everything about it should be delivered now.
  virtual void on_exit(TracedProgram program) = 0;
  /// A thread gets a signal once this returns. `is_interrupted`: in its last call, which may be
  /// restarted.
  virtual void on_signal(pid_t /*process*/, pid_t /*thread*/, int /*signal*/,
                         bool /*is_interrupted*/) {}
  /// All threads of a process that release() was called for are stopped, and not traced any more.
  virtual void on_released(pid_t /*process*/) {}
  /// A thread or process of it has ended. Only now can the parent wait for it (ptrace(2)).
  /// `is_last`: there is no other.
  virtual void on_ended(TracedProgram /*program*/, pid_t /*thread*/, bool /*is_last*/) {}
};

}  // namespace tcplab::capture
