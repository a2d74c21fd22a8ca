// Follows programs with ptrace(2) from their exec on, and reports their system calls on TCP
// sockets. A seccomp filter (call_filter.hh) stops a program only at the calls that matter. The
// tracer never interrupts a blocked call: PTRACE_INTERRUPT and PTRACE_ATTACH would make
// epoll_wait(2), and recv(2) with SO_RCVTIMEO, return a false EINTR.
//
// All functions must be called by the thread that seized the programs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "capture/calls/call_decoder.hh"
#include "capture/calls/call_observer.hh"
#include "capture/calls/injections.hh"
#include "capture/calls/ptrace.hh"
#include "capture/calls/stop_points.hh"
#include "capture/calls/thread_calls.hh"
#include "capture/calls/traced_threads.hh"

namespace tcplab::capture {

/// What stops a program.
enum class StopsAt : std::uint8_t {
  traced_calls,  // its filter (call_filter.hh): fast
  every_call,    // ptrace(2): slow, but the program can go on without the tracer
};

class Tracer {
public:
  explicit Tracer(CallObserver& observer, StopsAt stops_at = StopsAt::traced_calls)
      : observer_(observer), stops_at_(stops_at) {}
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  /// Starts to trace a process that has not called exec yet, and all that it will start. If the
  /// tracer dies, they are killed. Throws base::SystemError.
  void seize(pid_t process, TracedProgram program);

  /// Waits until a traced process stops or a child ends, and handles that. Returns false if a
  /// signal came first, or if there is no process to wait for.
  bool handle_next();

  /// Handles a status that waitpid(2) with __WALL has returned for any child or traced thread. For
  /// a process that waits itself.
  void handle(pid_t id, int status);

  /// Stops a process (SIGSTOP), with this thread before its next instruction, and traces it no
  /// more. Needs StopsAt::every_call: once a filter is installed, calls fail without a tracer.
  void release(pid_t process, pid_t thread);

  /// Reports calls that have blocked long enough, and lets those go on whose injected delay is
  /// over.
  void act_on_time(base::Instant now);
  /// Returns when to call act_on_time(); empty if nothing waits for a time.
  std::optional<base::Instant> due() { return calls_.due(); }

  /// The rules by which calls are changed. Each acts from the next entry of a call on.
  Injections& injections() { return calls_.injections(); }

  /// Sets these options on each TCP socket that a program makes or accepts from now on, and again
  /// when the program sets one of them. Each is reported as a call of the lab (Call::by_lab).
  void impose(std::vector<ImposedOption> options) { calls_.imposer().impose(std::move(options)); }

  /// Stops threads at these places, too. The programs need a filter with FileMappings::seen.
  void set_stop_points(StopPoints& points) { stop_points_ = &points; }

  bool has_tracees() const { return !threads_.is_empty(); }
  /// How a seized process ended (wait(2)), if it has. The tracer reaps it if it is a child.
  std::optional<int> status(pid_t process) const;

private:
  void ended(pid_t id, int status);
  void stopped(pid_t id, int status);
  void at_filter(pid_t id, TracedThread& of);
  void at_boundary(pid_t id, TracedThread& of);
  void at_entry(pid_t id, TracedThread& of, const SyscallInfo& info);
  void mapped(pid_t id, TracedThread& of, std::int64_t result);
  void at_group_stop(pid_t id, const TracedThread& of);
  void go_on(pid_t id, const TracedThread& of, int signal = 0);
  void after_exec(pid_t id);
  void started(pid_t parent);

  CallObserver& observer_;
  StopsAt stops_at_;
  StopPoints* stop_points_ = nullptr;
  TracedThreads threads_;
  CallDecoder decoder_;
  ThreadCalls calls_{observer_, threads_, decoder_};
  std::map<pid_t, int> statuses_;
  std::set<pid_t> released_;
};

}  // namespace tcplab::capture
