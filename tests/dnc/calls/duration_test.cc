#include "dnc/calls/duration.hh"

#include "tests/catch.hh"

using tcplab::dnc::parse_duration;
using namespace std::chrono_literals;

TEST_CASE("durations are parsed with and without units") {
  CHECK(parse_duration("2s") == 2s);
  CHECK(parse_duration("500ms") == 500ms);
  CHECK(parse_duration("1.5s") == 1500ms);
  CHECK(parse_duration("2m") == 120s);
  CHECK(parse_duration("0") == 0s);
  CHECK(parse_duration("3") == 3s);
  CHECK(parse_duration("500", 1ms) == 500ms);
}

TEST_CASE("text that is not a duration is rejected") {
  for (const char* text : {"", "s", "2 s", "2x", "-1s", "nan", "inf", "1e300h", "2s2"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}
