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

/// Returns the run delay so far of a process's first thread; zero if it has ended, or if the kernel
/// does not count it (CONFIG_SCHED_INFO).
base::nanoseconds run_delay(const std::string& process);

class ProcessorWaits {
public:
  explicit ProcessorWaits(base::Instant now) : sampled_(now) {}

  /// Takes the run delays since the last sample, of processes by PID ("self" for the run). Several
  /// processes may wait at the same time, so a sample adds at most the time since the last one.
  void sample(base::Instant now, const std::map<std::string, base::nanoseconds>& delays);

  /// Takes a wait that no run delay contains.
  void add(base::nanoseconds waited) { total_ += waited; }

  /// Returns the time that any of them has waited so far.
  base::nanoseconds total() const { return total_; }

  /// Returns true once for each half second in which they waited for most of the time.
  bool take_starved() { return std::exchange(is_starved_, false); }

private:
  void close_window(base::Instant now);

  base::Instant sampled_;
  std::map<std::string, base::nanoseconds> delays_;
  base::nanoseconds total_{};
  base::Instant window_start_ = sampled_;
  base::nanoseconds total_before_{};  // at the start of the window
  bool is_starved_ = false;
};

}  // namespace tcplab::lab
