// The clock of all timelines, in nanoseconds. It is CLOCK_MONOTONIC (clock_gettime(2)), which all
// processes on a kernel share. A run on kernel hosts can make its own clock slower, and skip time.
// wall_clock_offset() converts to wall-clock time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tcplab::base {

using std::chrono::nanoseconds;

/// std::chrono::steady_clock is CLOCK_MONOTONIC on Linux; its epoch is the kernel's boot.
using Instant = std::chrono::time_point<std::chrono::steady_clock, nanoseconds>;

/// How to compute now() from CLOCK_MONOTONIC.
struct TimeCourse {
  Instant origin{};  // since then, the clock is slow
  std::int64_t slowness = 1;
  nanoseconds skipped{};

  Instant at(Instant machine) const { return origin + (machine - origin) / slowness + skipped; }
  /// Returns the time of CLOCK_MONOTONIC at which now() will be `time`, if no time is skipped.
  Instant machine_time(Instant time) const { return origin + (time - skipped - origin) * slowness; }
};

const TimeCourse& time_course();
/// Makes now() slower than CLOCK_MONOTONIC by this factor, from now on.
void slow_time(std::int64_t slowness);
/// Advances now() by `time` at once.
void skip_time(nanoseconds time);

inline Instant now() { return time_course().at(std::chrono::steady_clock::now()); }

inline std::int64_t to_nanoseconds(Instant instant) { return instant.time_since_epoch().count(); }
inline Instant from_nanoseconds(std::int64_t count) { return Instant(nanoseconds(count)); }

inline double in_seconds(nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}
/// Drops fractions of a nanosecond.
inline nanoseconds from_seconds(double seconds) {
  return std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(seconds));
}

/// Returns what to add to an Instant's nanoseconds to get nanoseconds since 1970 (CLOCK_REALTIME).
nanoseconds wall_clock_offset();

/// Formats a duration for people: "0.8 ms", "1.103 s", "15 min 39 s".
std::string describe(nanoseconds duration);

}  // namespace tcplab::base
