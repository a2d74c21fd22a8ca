// Decides when a timer of the machine must expire for a deadline on the virtual clock (clock.hh).
// Each skip of that clock brings the deadline nearer, and setting the timer again at each skip is
// expensive. So the timer may expire too early. The caller then sets it again.
#pragma once

#include <algorithm>
#include <optional>

#include "base/clock.hh"

namespace tcplab::base {

class EarlyAlarm {
public:
  /// The longest time for which the timer is set, so that a skip rarely makes it expire too late.
  static constexpr nanoseconds kLongest = std::chrono::milliseconds(20);

  /// Returns the time for which to set the timer; nothing if it already expires soon enough.
  /// `wanted` is a time of the virtual clock, `now` and the result of CLOCK_MONOTONIC. Without a
  /// skip, the result is not later than `wanted`.
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
