// The clock of all timelines: CLOCK_MONOTONIC in nanoseconds (clock_gettime(2)), and the time that
// this process has skipped. Without skips all processes on this kernel share it.
// wall_clock_offset() converts it to wall-clock time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tcplab::base {

using std::chrono::nanoseconds;

/// std::chrono::steady_clock is CLOCK_MONOTONIC on Linux; its epoch is the kernel's boot.
using Instant = std::chrono::time_point<std::chrono::steady_clock, nanoseconds>;

/// Returns how much time this process has skipped: zero, unless its hosts share a virtual clock.
nanoseconds skipped_time();
/// Moves now() on at once.
void skip_time(nanoseconds time);

inline Instant now() { return std::chrono::steady_clock::now() + skipped_time(); }

inline std::int64_t to_nanoseconds(Instant instant) { return instant.time_since_epoch().count(); }
inline Instant from_nanoseconds(std::int64_t count) { return Instant(nanoseconds(count)); }

/// Returns what to add to an Instant's nanoseconds to get nanoseconds since 1970 (CLOCK_REALTIME).
nanoseconds wall_clock_offset();

/// Formats a duration for people: "0.8 ms", "1.103 s", "15 min 39 s".
std::string describe(nanoseconds duration);

}  // namespace tcplab::base
