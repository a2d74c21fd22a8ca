// Acts when a call fails with a chosen errno: aborts the program for a core file, or leaves it
// stopped for a debugger. Stands between the tracer and another observer.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "capture/calls/tracer.hh"
#include "capture/event/failing_calls.hh"

namespace tcplab::capture {

/// Keeps what is known when a trap acts.
class TrapRecorder {
public:
  virtual ~TrapRecorder() = default;
  virtual void note(base::Instant at, const Call& call) = 0;
  /// The call has failed. Its thread stays stopped until this returns, and gets the signal then.
  virtual void failed(base::Instant at, const Call& call, bool aborts) = 0;
  /// Returns where the record of a process is, for people, after its end or its release.
  virtual std::string place(pid_t process) = 0;
};

/// Sends SIGABRT to the thread of a call that has returned, and that is stopped there. The thread
/// gets it before it goes on, also if it blocks signals, so a core file shows it at the call.
void abort_at(const Call& call);

class CallTraps : public CallObserver {
public:
  /// Called with a sentence for each action on a program.
  using Tell = std::function<void(const std::string& text)>;

  CallTraps(CallObserver& next, TrapRecorder& recorder, Tell tell, FailingCalls abort_on,
            FailingCalls stop_on)
      : next_(next),
        recorder_(recorder),
        tell_(std::move(tell)),
        abort_on_(std::move(abort_on)),
        stop_on_(std::move(stop_on)) {}

  /// To be called before the first program is seized. Without it, no trap acts. To stop programs,
  /// the tracer must be one that needs no filter (StopsAt::every_call).
  void arm(Tracer& tracer) { tracer_ = &tracer; }

  void on_call(TracedProgram program, base::Instant at, const Call& call) override;
  void on_other_return(TracedProgram program, pid_t thread) override;
  void on_probe(TracedProgram program, base::Instant at, const Probe& probe) override;
  void on_unseen(TracedProgram program, pid_t process, const std::string& why) override;
  void on_signal(pid_t process, pid_t thread, int signal, bool is_interrupted) override;
  void on_released(pid_t process) override;
  void on_exit(TracedProgram program) override;
  void on_ended(TracedProgram program, pid_t thread, bool is_last) override;

  /// Reports how the aborted programs have ended. To be called after their end.
  void finish();

private:
  void abort(base::Instant at, const Call& call);
  void stop(base::Instant at, const Call& call);

  CallObserver& next_;
  TrapRecorder& recorder_;
  Tell tell_;
  FailingCalls abort_on_;
  FailingCalls stop_on_;
  Tracer* tracer_ = nullptr;
  // By process: "connect: ECONNREFUSED".
  std::map<pid_t, std::string> aborted_;
  std::map<pid_t, std::string> stopped_;
};

}  // namespace tcplab::capture
