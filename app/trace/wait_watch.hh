// Follows the calls of a traced program that have blocked, and reads the stack of each that blocks
// for longer than a threshold: once, while it blocks, without stopping its thread. The thread
// cannot go on meanwhile: at its return it stops for the tracer, whose thread calls all functions.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/follow/call_tracker.hh"
#include "capture/stacks/naming_thread.hh"
#include "capture/stacks/program_stack.hh"
#include "reports/waits/trace_wait.hh"

namespace tcplab::app {

/// A wait. Its frames are set before the naming thread runs a job that is added later.
struct WatchedWait {
  reports::TraceWait wait;
  std::shared_ptr<const std::vector<std::string>> frames;
};

class WaitWatch {
public:
  /// The references must outlive this object.
  WaitWatch(base::nanoseconds threshold, capture::StackReader& reader,
            capture::NamingThread& naming)
      : threshold_(threshold), reader_(reader), naming_(naming) {}

  /// Notes an entry or a return. Returns the wait that has ended; its thread is stopped.
  std::optional<WatchedWait> note(base::Instant at, const capture::Call& call);
  /// A thread's call has returned, and was none on TCP after all.
  void forget(pid_t thread);
  /// Reads the stacks that are due. Returns when to call it again; empty for never.
  std::optional<base::Instant> read_due(base::Instant now);

  /// A thread has ended: returns the wait that has not.
  std::optional<WatchedWait> take_unfinished(base::Instant at, pid_t thread);
  /// Does so for all threads.
  std::vector<WatchedWait> take_all_unfinished(base::Instant at);

private:
  struct Open {
    capture::Call call;
    base::Instant entered{};
    base::Instant due{};  // when its stack is read
    std::string process{};
    std::vector<capture::FlowKey> awaited{};             // of poll(2), if at most 3
    std::shared_ptr<std::vector<std::string>> frames{};  // null: not read yet
    std::shared_ptr<std::atomic<bool>> is_prepared{};    // null: not asked for
  };

  bool prepares(Open& open, const capture::ProgramStack& stack);
  void read(Open& open, std::optional<capture::ProgramStack> stack);
  std::optional<Open> take(pid_t thread);
  std::vector<capture::FlowKey> connections_of(const capture::Call& call,
                                               const std::vector<int>& descriptors) const;
  std::vector<capture::FlowKey> awaited_by(const capture::Call& call) const;
  std::vector<capture::FlowKey> named_after(const capture::Call& call, const Open& open) const;

  base::nanoseconds threshold_;
  capture::StackReader& reader_;
  capture::NamingThread& naming_;
  capture::CallTracker tracker_;
  std::map<pid_t, Open> open_;                        // by thread
  std::set<std::pair<base::Instant, pid_t>> unread_;  // by when their stack is read
};

}  // namespace tcplab::app
