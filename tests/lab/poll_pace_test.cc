#include "lab/poll_pace.hh"

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using lab::PollPace;

TEST_CASE("while nothing happens, looks become rare") {
  PollPace pace;
  CHECK(pace.pause() == 100ms);
  pace.looked(7, false);
  CHECK(pace.pause() == 100ms);  // an event has come since the look before
  pace.looked(7, false);
  CHECK(pace.pause() == 200ms);
  for (int look = 0; look < 10; ++look) pace.looked(7, false);
  CHECK(pace.pause() == 1s);
  pace.looked(8, false);
  CHECK(pace.pause() == 100ms);
}

TEST_CASE("an event makes the next look come sooner, once") {
  PollPace pace;
  pace.looked(0, false);
  CHECK(pace.hurries());
  CHECK(pace.pause() == 100ms);
  CHECK_FALSE(pace.hurries());
}

TEST_CASE("the next look comes when a timer expires, and not before the shortest pause") {
  PollPace pace(10s);
  for (int look = 0; look < 20; ++look) pace.looked(7, false);
  CHECK(pace.pause(20s) == 10s);
  CHECK(pace.pause(3s) == 3001ms);
  CHECK(pace.pause(5ms) == 100ms);
  CHECK(pace.pause(-3s) == 100ms);
}

TEST_CASE("looks stay frequent while a timer may end a connection") {
  PollPace pace;
  for (int look = 0; look < 10; ++look) pace.looked(7, true);
  CHECK(pace.pause() == 100ms);
}
