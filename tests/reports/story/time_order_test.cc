#include "reports/story/time_order.hh"

#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

TEST_CASE("a held frame is drawn at its release, even if that comes soon") {
  using std::chrono::microseconds;
  SampleRun run;
  capture::Packet held = run.packet("kang", "F.", 1, 1, 0);
  held.fate = capture::Fate::held;
  run.add(held).later(microseconds(100)).action({.verb = capture::ActionVerb::remove});
  held.fate = capture::Fate::delivered;
  held.delivered = held.sent + microseconds(120);
  capture::Event released = run.events().front();
  released.number = 3;
  released.body = held;  // the event's time is when the frame was sent, as on the wire

  TimeOrder order;
  for (const Event& event : run.events()) order.add(event);
  order.add(released);
  CHECK(order.take().number == 1);
  CHECK(order.take().number == 2);
  const Event last = order.take();
  CHECK(last.number == 3);
  CHECK(last.at == *held.delivered);
}

}  // namespace tcplab::reports::tests
