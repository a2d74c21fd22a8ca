// How long a run and its programs were ready to run but had no processor, because the machine was
// busy (run_delay in /proc/PID/schedstat; the kernel's Documentation/scheduler/sched-stats.rst).
// Such time does not count against a deadline.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "base/clock.hh"

namespace tcplab::lab {

/// Shorter waits in a whole run are not worth mentioning.
inline constexpr base::nanoseconds kNoticeableWait = std::chrono::milliseconds(200);

/// What a thread has had of the processors so far. Zero if it has ended, or if the kernel does not
/// count it (CONFIG_SCHED_INFO).
struct ThreadTimes {
  base::nanoseconds waited{};  // its run delay
  base::nanoseconds ran{};
};
using TimesByThread = std::map<std::string, ThreadTimes>;

/// Returns the times of a process's first thread.
ThreadTimes first_thread(const std::string& process);
/// Returns those of its other threads. In a program of Go or Java, they do the work.
TimesByThread other_threads(const std::string& process);

class ProcessorWaits {
public:
  explicit ProcessorWaits(base::Instant now) : sampled_(now) {}

  /// Takes the times of the first threads of processes by PID ("self" for the run), and of their
  /// other threads. Several may wait at the same time, so a sample adds at most the time since the
  /// last one. The threads of one program may wait for each other, because a run has one processor:
  /// of other threads, only the wait counts that is longer than all these threads ran meanwhile.
  void sample(base::Instant now, const TimesByThread& first, const TimesByThread& others = {});

  /// Takes a wait that no run delay contains.
  void add(base::nanoseconds waited) { total_ += waited; }

  /// Returns the time that any of them has waited so far.
  base::nanoseconds total() const { return total_; }

  /// Returns true once for each half second in which first threads waited for most of the time.
  bool take_starved() { return std::exchange(is_starved_, false); }

private:
  ThreadTimes growth(const std::string& thread, const ThreadTimes& times) const;
  base::nanoseconds wait_of(const TimesByThread& first, const TimesByThread& others) const;
  void close_window(base::Instant now);

  base::Instant sampled_;
  TimesByThread times_;
  base::nanoseconds total_{};
  base::Instant window_start_ = sampled_;
  base::nanoseconds starved_{};  // in the window, of first threads
  bool is_starved_ = false;
};

}  // namespace tcplab::lab
