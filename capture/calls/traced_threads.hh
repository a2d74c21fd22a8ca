// The threads that a tracer follows.
#pragma once

#include <sys/types.h>

#include <optional>
#include <unordered_map>

#include "base/clock.hh"
#include "capture/calls/injections.hh"
#include "capture/calls/pending_call.hh"
#include "capture/calls/stop_points.hh"
#include "capture/calls/untraced_clone.hh"

namespace tcplab::capture {

struct TracedThread {
  pid_t process = 0;
  TracedProgram program = 0;
  std::optional<PendingCall> pending{};
  bool is_interrupted = false;  // its last call, by a signal, and it has made no other
  std::optional<base::Instant> delayed_until{};  // stopped at its entry by a rule
  std::optional<UntracedClone> clone{};          // its call that starts an untraced child
  std::optional<MappedPart> mapping{};           // its call is mmap(2) of a file
};

/// References to threads are valid until their threads are erased.
class TracedThreads {
public:
  /// Adds a process with one thread.
  void add(pid_t process, TracedProgram program);
  /// Returns a thread. A new one may stop before the event of its parent's clone(2) arrives, so an
  /// unknown thread is added, with the program of its process or of its parent.
  TracedThread& at(pid_t id);
  /// Returns a thread; nullptr if it is unknown.
  TracedThread* find(pid_t id);
  void erase(pid_t id) { threads_.erase(id); }

  bool is_empty() const { return threads_.empty(); }
  bool has_any_of_program(TracedProgram program) const;
  bool has_any_of_process(pid_t process) const;

private:
  std::unordered_map<pid_t, TracedThread> threads_;
};

}  // namespace tcplab::capture
