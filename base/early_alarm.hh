// When to set an alarm of the machine for a time of a clock that is slow and skips time. With each
// skip that time comes nearer for the machine, and setting the alarm again each time is expensive.
// So the alarm may ring too early, but never too late.
#pragma once

#include <algorithm>
#include <optional>

#include "base/clock.hh"

namespace tcplab::base {

class EarlyAlarm {
public:
  /// An alarm that is set rings within this time, so that it rarely rings too late after a skip.
  static constexpr nanoseconds kLongest = std::chrono::milliseconds(20);

  /// Returns for when to set the alarm, or nothing if it rings soon enough. `now` and the result
  /// are times of CLOCK_MONOTONIC; now() is at `wanted` then at the latest.
  std::optional<Instant> set_for(Instant wanted, Instant now) {
    const Instant latest = time_course().machine_time(wanted);
    if (rings_ > now && rings_ <= latest) return std::nullopt;
    rings_ = std::min(latest, now + kLongest);
    return rings_;
  }

private:
  Instant rings_{};  // in the past: it is not set
};

}  // namespace tcplab::base
