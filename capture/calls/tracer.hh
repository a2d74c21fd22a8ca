// Follows programs with ptrace(2) from their exec on, and reports their system calls on TCP
// sockets. A seccomp filter (call_filter.hh) stops a program only at the calls that matter. The
// tracer never interrupts a blocked call: PTRACE_INTERRUPT and PTRACE_ATTACH would make
// epoll_wait(2), and recv(2) with SO_RCVTIMEO, return a false EINTR.
//
// All functions must be called by the thread that seized the programs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.hh"
#include "capture/calls/call_decoder.hh"
#include "capture/calls/injections.hh"
#include "capture/calls/ptrace.hh"
#include "capture/calls/short_transfer.hh"
#include "capture/calls/untraced_clone.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

/// The interface that receives the tracer's observations.
class CallObserver {
public:
  virtual ~CallObserver() = default;
  /// A call that still blocks after kBlocksAfter (phase enter), or one that has returned. Its
  /// thread is then stopped.
  virtual void on_call(TracedProgram program, base::Instant at, const Call& call) = 0;
  /// A process makes calls that the tracer cannot see; `why` for people. Once for each reason.
  virtual void on_unseen(TracedProgram program, pid_t process, const std::string& why) = 0;
  /// A process is about to end by itself: everything about it should be delivered now.
  virtual void on_exit(TracedProgram program) = 0;
  /// All threads of a process that release() was called for are stopped, and not traced any more.
  virtual void on_released(pid_t /*process*/) {}
  /// A thread or process of it has ended. Only now can the parent wait for it (ptrace(2)).
  /// `is_last`: there is no other.
  virtual void on_ended(TracedProgram /*program*/, pid_t /*thread*/, bool /*is_last*/) {}
};

/// An entry is reported if the call has not returned after this time.
inline constexpr base::nanoseconds kBlocksAfter = std::chrono::milliseconds(1);

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
  std::optional<base::Instant> due();

  /// The rules by which calls are changed. Each acts from the next entry of a call on.
  Injections& injections() { return injections_; }

  /// Sets these options on each TCP socket that a program makes or accepts from now on, and again
  /// when the program sets one of them. Each is reported as a call of the lab (Call::by_lab).
  void impose(std::vector<ImposedOption> options) { imposed_ = std::move(options); }

  bool has_tracees() const { return !threads_.empty(); }
  /// How a seized process ended (wait(2)), if it has. The tracer reaps it if it is a child.
  std::optional<int> status(pid_t process) const;

private:
  struct Pending {
    CallStop stop;
    Call call;
    base::Instant entered;
    bool is_reported = false;
    bool is_interrupted = false;  // by a signal; the kernel may restart it
    base::Instant interrupted_at{};
    CallChange change{};  // what a rule does to it
    std::optional<ShortTransfer> shortened{};
  };
  struct Thread {
    pid_t process = 0;
    TracedProgram program = 0;
    std::optional<Pending> pending;
    std::optional<base::Instant> delayed_until{};  // stopped at its entry by a rule
    std::optional<UntracedClone> clone{};          // its call that starts an untraced child
  };

  Thread& thread(pid_t id);
  void ended(pid_t id, int status);
  void stopped(pid_t id, int status);
  void at_filter(pid_t id, Thread& of);
  void at_boundary(pid_t id, Thread& of);
  void at_group_stop(pid_t id, const Thread& of);
  void go_on(pid_t id, const Thread& of, int signal = 0);
  void at_entry(pid_t id, Thread& of, const SyscallInfo& info);
  void begin(pid_t id, Thread& of, const CallStop& stop);
  void change(pid_t id, Thread& of);
  static std::int64_t changed_result(pid_t id, Pending& pending, std::int64_t result);
  void at_return(pid_t id, Thread& of, std::int64_t result);
  void after_exec(pid_t id);
  void started(pid_t parent);
  void finish(Thread& of, base::Instant at, std::int64_t result);
  std::optional<int> socket_to_change(const CallStop& stop, const Call& call) const;
  void impose_on(const Thread& of, const CallStop& stop, base::Instant at, int descriptor);
  void unseen(Thread& of, const std::string& why);
  bool restarts(Thread& of, const CallStop& stop);
  Thread* next_blocking();
  void report_blocked(base::Instant now);
  void resume_delayed(base::Instant now);

  CallObserver& observer_;
  StopsAt stops_at_;
  CallDecoder decoder_;
  std::unordered_map<pid_t, Thread> threads_;
  std::map<pid_t, int> statuses_;
  std::set<pid_t> released_;
  std::deque<std::pair<base::Instant, pid_t>> blocking_;  // by when they become due
  std::map<std::pair<pid_t, std::string>, bool> reported_unseen_;
  Injections injections_;
  std::vector<ImposedOption> imposed_;
  std::set<std::pair<base::Instant, pid_t>> delayed_;  // by when they go on
  std::uint64_t last_call_ = 0;
};

}  // namespace tcplab::capture
