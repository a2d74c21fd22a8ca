// Estimates the time of a run in the process that shows it. On kernel hosts, the clock of a run
// jumps ahead of this machine's clock. The times of its events show by how much.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/clock.hh"

namespace tcplab::app {

/// How late a call may arrive through the pipe of a program. A live view draws this much later.
inline constexpr base::nanoseconds kLateness = std::chrono::milliseconds(100);

class RunTime {
public:
  /// Learns from the time of an event of the run.
  void learn(base::Instant event) {
    newest_ = std::max(newest_, event);
    ahead_ = std::max(ahead_, event - base::now());
  }
  /// Returns the time of the newest event.
  base::Instant newest() const { return newest_; }
  /// Returns the run's time at a time of this machine's clock. It is past every event so far.
  base::Instant at(base::Instant machine) const { return machine + ahead_; }
  base::Instant now() const { return at(base::now()); }

private:
  base::Instant newest_{};
  base::nanoseconds ahead_{};
};

}  // namespace tcplab::app
