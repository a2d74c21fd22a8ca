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

/// Run delays so far, by thread.
using RunDelays = std::map<std::string, base::nanoseconds>;

/// Returns the run delay so far of a process's first thread; zero if it has ended, or if the kernel
/// does not count it (CONFIG_SCHED_INFO).
base::nanoseconds run_delay(const std::string& process);
/// Returns those of its other threads. In a program of Go or Java, they do the work.
RunDelays run_delays_of_others(const std::string& process);

class ProcessorWaits {
public:
  explicit ProcessorWaits(base::Instant now) : sampled_(now) {}

  /// Takes the run delays since the last sample, of the first threads of processes by PID ("self"
  /// for the run), and of their other threads. Several may wait at the same time, so a sample adds
  /// at most the time since the last one.
  void sample(base::Instant now, const RunDelays& first, const RunDelays& others = {});

  /// Takes a wait that no run delay contains.
  void add(base::nanoseconds waited) { total_ += waited; }

  /// Returns the time that any of them has waited so far.
  base::nanoseconds total() const { return total_; }

  /// Returns true once for each half second in which first threads waited for most of the time. The
  /// others of one program may wait for each other, on a machine that is not busy.
  bool take_starved() { return std::exchange(is_starved_, false); }

private:
  base::nanoseconds growth(const RunDelays& delays) const;
  void close_window(base::Instant now);

  base::Instant sampled_;
  RunDelays delays_;
  base::nanoseconds total_{};
  base::Instant window_start_ = sampled_;
  base::nanoseconds starved_{};  // in the window, of first threads
  bool is_starved_ = false;
};

}  // namespace tcplab::lab
