#include "capture/event/event.hh"

#include <poll.h>

#include "tests/catch.hh"

using namespace tcplab::capture;

TEST_CASE("every TCP state has a name, and is found by it") {
  for (int number = 0; number <= 11; ++number) {
    const auto state = TcpState(number);
    INFO(number << " " << name(state));
    CHECK(tcp_state(name(state)) == state);
  }
  CHECK(name(TcpState::fin_wait1) == "FIN_WAIT1");
  CHECK(name(TcpState::closed) == "CLOSED");
}

TEST_CASE("a TCP state that Linux does not have is UNKNOWN") {
  CHECK(name(TcpState(12)) == "UNKNOWN");
  CHECK_FALSE(tcp_state("FIN-WAIT-1"));
  CHECK_FALSE(tcp_state(""));
}

TEST_CASE("poll events are written without the prefix POLL") {
  CHECK(poll_events(0) == "0");
  CHECK(poll_events(POLLIN | POLLERR | POLLHUP) == "IN|ERR|HUP");
  CHECK(poll_events(0x2015) == "IN|OUT|HUP|RDHUP");
  CHECK(poll_events(POLLIN | 0x4000) == "IN|0x4000");
}

TEST_CASE("poll events are parsed with and without POLL, and as numbers") {
  CHECK(parse_poll_events("0") == 0);
  CHECK(parse_poll_events("IN|ERR|HUP") == 0x19);
  CHECK(parse_poll_events("POLLIN|POLLHUP") == 0x11);
  CHECK(parse_poll_events("0x11") == 0x11);
  CHECK(parse_poll_events("17") == 0x11);
  CHECK(parse_poll_events("IN|0x4000") == 0x4001);
}

TEST_CASE("text that is not a set of poll events is rejected") {
  const auto text =
      GENERATE("", "|", "IN|", "|IN", "in", "IN HUP", "POLL", "0x", "0xg", "-1", "IN|x");
  INFO(text);
  CHECK_FALSE(parse_poll_events(text));
}
