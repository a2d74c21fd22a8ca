// Carries out the requests of a run to its tracer (watch_request.hh). A request identifies a
// program by the process that the run has started.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>

#include "capture/calls/tracer.hh"
#include "capture/calls/watch_request.hh"

namespace tcplab::capture {

class TracedPrograms {
public:
  explicit TracedPrograms(Tracer& tracer) : tracer_(tracer) {}

  /// Starts to trace a process that has not called exec yet. Throws base::SystemError.
  TracedProgram seize(pid_t process);
  /// Returns the program of that process; nothing if it has ended.
  std::optional<TracedProgram> find(pid_t process) const;
  /// All processes of the program have ended.
  void ended(TracedProgram program);

  // Each returns the answer.

  int take(const AddInjection& request);
  int take(const RemoveInjection& request);
  int take(const AskInjection& request) const;
  int take(const ImposeOptions& request);

private:
  Tracer& tracer_;
  std::map<pid_t, TracedProgram> programs_;  // those that have not ended
  TracedProgram last_ = 0;
};

/// Returns the event that a process makes calls that a tracer cannot see (CallObserver).
Event unseen_event(pid_t process, const std::string& why);

}  // namespace tcplab::capture
