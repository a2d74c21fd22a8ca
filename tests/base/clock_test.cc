#include "base/clock.hh"

#include "tests/catch.hh"

using namespace tcplab::base;
using namespace std::chrono_literals;

TEST_CASE("durations are formatted for people") {
  CHECK(describe(0ns) == "0 us");
  CHECK(describe(42us) == "42 us");
  CHECK(describe(800us) == "800 us");
  CHECK(describe(1500us) == "1.5 ms");
  CHECK(describe(1103ms) == "1.1 s");
  CHECK(describe(60s) == "60 s");
  CHECK(describe(120s) == "2 min");
  CHECK(describe(939s) == "15 min 39 s");
  CHECK(describe(-5ms) == "-5.0 ms");
}

TEST_CASE("an instant converts to nanoseconds and back") {
  const Instant instant = now();
  CHECK(from_nanoseconds(to_nanoseconds(instant)) == instant);
}

TEST_CASE("a monotonic instant plus the offset is the wall-clock time") {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const auto ours = now().time_since_epoch() + wall_clock_offset();
  CHECK(std::chrono::abs(ours - wall) < 1s);
}

TEST_CASE("a clock can be slower than the machine's, and skip time") {
  const Instant origin{100s};
  const TimeCourse course{.origin = origin, .slowness = 10, .skipped = 60s};
  CHECK(course.at(origin) == origin + 60s);
  CHECK(course.at(origin + 5s) == origin + 60s + 500ms);
  CHECK(course.machine_time(course.at(origin + 5s)) == origin + 5s);
}

TEST_CASE("a clock goes on from where it is when it becomes slower") {
  const Instant before = now();
  slow_time(1000);
  const Instant after = now();
  CHECK(after >= before);
  CHECK(after - before < 10s);
  slow_time(1);
  CHECK(now() >= after);
}
