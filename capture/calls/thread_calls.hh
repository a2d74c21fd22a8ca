// The system calls of traced threads, from entry to return. Reports those on TCP sockets, and
// changes those that a rule is about. The tracer lets the threads stop and go on.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "capture/calls/call_decoder.hh"
#include "capture/calls/call_observer.hh"
#include "capture/calls/injections.hh"
#include "capture/calls/option_imposer.hh"
#include "capture/calls/ptrace.hh"
#include "capture/calls/traced_threads.hh"

namespace tcplab::capture {

class ThreadCalls {
public:
  /// The references must outlive this object.
  ThreadCalls(CallObserver& observer, TracedThreads& threads, CallDecoder& decoder)
      : observer_(observer), threads_(threads), decoder_(decoder) {}
  ThreadCalls(const ThreadCalls&) = delete;
  ThreadCalls& operator=(const ThreadCalls&) = delete;

  /// A thread is at the entry of a call. It must stay there if it is then delayed
  /// (TracedThread::delayed_until).
  void enter(pid_t id, TracedThread& of, const SyscallInfo& info);
  /// A thread is at the return of a call.
  void leave(pid_t id, TracedThread& of, std::int64_t result);

  /// Reports the calls that have blocked long enough.
  void report_blocked(base::Instant now);
  /// Ends the injected delays that are over. Returns the threads that may go on.
  std::vector<pid_t> end_delays(base::Instant now);
  /// Returns when one of both has something to do; empty if nothing waits for a time.
  std::optional<base::Instant> due();

  Injections& injections() { return injections_; }
  OptionImposer& imposer() { return imposer_; }

private:
  void begin(pid_t id, TracedThread& of, const CallStop& stop);
  bool restarts(TracedThread& of, const CallStop& stop);
  void finish(TracedThread& of, base::Instant at, std::int64_t result);
  void unseen(const TracedThread& of, const std::string& why);
  TracedThread* next_blocking();

  CallObserver& observer_;
  TracedThreads& threads_;
  CallDecoder& decoder_;
  Injections injections_;
  OptionImposer imposer_{decoder_};
  std::deque<std::pair<base::Instant, pid_t>> blocking_;  // by when they become due
  std::set<std::pair<base::Instant, pid_t>> delayed_;     // by when they go on
  std::set<std::pair<pid_t, std::string>> reported_unseen_;
  std::uint64_t last_call_ = 0;
};

}  // namespace tcplab::capture
