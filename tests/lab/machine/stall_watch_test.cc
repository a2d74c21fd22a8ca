#include "lab/machine/stall_watch.hh"

#include <chrono>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace std::chrono_literals;
using Catch::Matchers::Matches;
using tcplab::lab::StallWatch;
namespace base = tcplab::base;

namespace {

base::nanoseconds no_delay() { return {}; }

}  // namespace

TEST_CASE("a frame that waited while the lab stood still ends the run") {
  const base::Instant start{};
  StallWatch stalls(start, 400ms, no_delay);
  stalls.frame(start + 500ms, "kang");  // the limit, and a heartbeat
  CHECK_NOTHROW(stalls.frame(start + 900ms, "kang"));
  CHECK_FALSE(stalls.stood_still());
  CHECK_THROWS_AS(stalls.frame(start + 1500ms, "kang"), base::LabError);
  stalls.alive(start + 1500ms);
  stalls.frame(start + 1600ms, "kang");
  CHECK(stalls.stood_still());
}

TEST_CASE("a lab that stood still while no frame waited goes on") {
  const base::Instant start{};
  StallWatch stalls(start, 400ms, no_delay);
  stalls.beat(start + 5s);
  stalls.beat(start + 5050ms);
  CHECK_NOTHROW(stalls.frame(start + 5100ms, "kang"));
}

TEST_CASE("a beat right after a stall does not hide it") {
  const base::Instant start{};
  StallWatch stalls(start, 400ms, no_delay);
  stalls.beat(start + 50ms);
  stalls.beat(start +
              2s);  // the handler was due before the stall, and runs before the frame is read
  CHECK_THROWS_AS(stalls.frame(start + 2s, "kang"), base::LabError);
}

TEST_CASE("without a limit no frame waits too long") {
  StallWatch stalls(base::Instant{}, 0ms, no_delay);
  CHECK(!stalls.is_on());
  CHECK_NOTHROW(stalls.frame(base::Instant{} + 1h, "kang"));
}

TEST_CASE("the message says how long the lab waited for a processor") {
  const base::Instant start{};
  base::nanoseconds delay = 100ms;
  StallWatch stalls(start, 400ms, [&] { return delay; });
  stalls.beat(start + 50ms);
  stalls.beat(start + 100ms);
  delay = 800ms;
  stalls.beat(start + 1100ms);  // right after the stall
  CHECK_THROWS_WITH(stalls.frame(start + 1100ms, "kang"),
                    Matches(".*stood still for 1 s while a frame of kang waited"
                            ".*the lab waited 700.0 ms for a processor.*"));
}
