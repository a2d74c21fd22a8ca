#include "base/clock.hh"

#include <fmt/format.h>

namespace tcplab::base {

namespace {

TimeCourse course;

}  // namespace

const TimeCourse& time_course() { return course; }

void slow_time(std::int64_t slowness) {
  const Instant machine = std::chrono::steady_clock::now();
  const nanoseconds ahead = course.at(machine) - machine;
  course = {.origin = machine, .slowness = slowness, .skipped = ahead};
}

void skip_time(nanoseconds time) { course.skipped += time; }

nanoseconds wall_clock_offset() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const auto monotonic = now().time_since_epoch();
  return std::chrono::duration_cast<nanoseconds>(wall) -
         std::chrono::duration_cast<nanoseconds>(monotonic);
}

std::string describe(nanoseconds duration) {
  const double seconds = in_seconds(duration);
  const double size = seconds < 0 ? -seconds : seconds;
  if (size < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (size < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (size < 120) return fmt::format("{:.3g} s", seconds);
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (whole % 60 == 0) return fmt::format("{} min", whole / 60);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace tcplab::base
