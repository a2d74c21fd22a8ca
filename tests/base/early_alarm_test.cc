#include "base/early_alarm.hh"

#include "tests/catch.hh"

using namespace std::chrono_literals;
using tcplab::base::EarlyAlarm;
using tcplab::base::Instant;

TEST_CASE("an alarm is set for its time, or for 20 ms from now") {
  const Instant now = tcplab::base::now();
  CHECK(EarlyAlarm().set_for(now + 5ms, now) == now + 5ms);
  CHECK(EarlyAlarm().set_for(now + 1h, now) == now + EarlyAlarm::kLongest);
}

TEST_CASE("an alarm is set again only if it rings too late, or has rung") {
  const Instant now = tcplab::base::now();
  EarlyAlarm alarm;
  CHECK(alarm.set_for(now + 10ms, now));
  CHECK_FALSE(alarm.set_for(now + 10ms, now));
  CHECK_FALSE(alarm.set_for(now + 1h, now));
  CHECK(alarm.set_for(now + 9ms, now) == now + 9ms);
  CHECK(alarm.set_for(now + 10ms, now + 9ms) == now + 10ms);  // it rings at this moment
}
