#include "scenarios/engine/machine/stall_watch.hh"

#include <chrono>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace std::chrono_literals;
using tcplab::engine::StallWatch;
namespace base = tcplab::base;

TEST_CASE("a frame that waited while the lab stood still ends the run") {
  const base::Instant start{};
  StallWatch stalls(start, 400ms);
  stalls.frame(start + 500ms, "kang");  // the limit, and a heartbeat
  CHECK_NOTHROW(stalls.frame(start + 900ms, "kang"));
  CHECK_THROWS_AS(stalls.frame(start + 1500ms, "kang"), base::LabError);
}

TEST_CASE("a lab that stood still while no frame waited goes on") {
  const base::Instant start{};
  StallWatch stalls(start, 400ms);
  stalls.beat(start + 5s);
  stalls.beat(start + 5050ms);
  CHECK_NOTHROW(stalls.frame(start + 5100ms, "kang"));
}

TEST_CASE("a beat right after a stall does not hide it") {
  const base::Instant start{};
  StallWatch stalls(start, 400ms);
  stalls.beat(start + 50ms);
  stalls.beat(start +
              2s);  // the handler was due before the stall, and runs before the frame is read
  CHECK_THROWS_AS(stalls.frame(start + 2s, "kang"), base::LabError);
}

TEST_CASE("without a limit no frame waits too long") {
  StallWatch stalls(base::Instant{}, 0ms);
  CHECK(!stalls.is_on());
  CHECK_NOTHROW(stalls.frame(base::Instant{} + 1h, "kang"));
}
