#include <chrono>

#include "tests/catch.hh"
#include "tests/netns/segment.hh"

using namespace tcplab;
using namespace tcplab::tests;

namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("frames of several ports are handled in the order in which they were sent") {
  Segment segment;
  const auto at = [](int number) { return base::Instant{} + std::chrono::microseconds(number); };
  std::vector<base::Instant> times;
  segment.observer.on_sent = [&](Frame& frame) {
    times.push_back(frame.sent);
    return FrameDecision::deliver;
  };
  segment.kang.host_sends(frame(kKodos, kKang, "first"), at(1));
  segment.kang.host_sends(frame(kKodos, kKang, "fourth"), at(4));
  segment.homer.host_sends(frame(kKodos, kHomer, "third"), at(3));
  segment.homer.host_sends(frame(kKodos, kHomer, "fifth"), at(5));
  segment.kodos.host_sends(frame(kKang, kKodos, "second"), at(2));
  SECTION("by the event loop") { segment.loop.poll(); }
  SECTION("by a pump") { segment.wire.pump(); }
  CHECK(segment.kodos.received == Lines{"first", "third", "fourth", "fifth"});
  CHECK(segment.kang.received == Lines{"second"});
  CHECK(times == std::vector{at(1), at(2), at(3), at(4), at(5)});
}
