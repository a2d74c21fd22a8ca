#include "capture/event/socket_detail.hh"

#include "tests/catch.hh"

using namespace std::chrono_literals;
using namespace tcplab::capture;

TEST_CASE("a timer has the name of what it does") {
  const auto [number, name] = GENERATE(table<std::uint8_t, std::string_view>({{0, ""},
                                                                              {1, "retransmit"},
                                                                              {2, "keepalive"},
                                                                              {3, "time-wait"},
                                                                              {4, "persist"},
                                                                              {5, ""},
                                                                              {255, ""}}));
  CHECK(timer_name(Socket{.timer = number}) == name);
}

TEST_CASE("the timeout before back-off") {
  SocketDetail detail{.socket = {.timer = 1}, .sending = SendingInfo{.rto = 800ms, .backoff = 2}};
  CHECK(first_rto(detail) == 200ms);
  detail.socket.timer = 4;  // a window probe counts, and doubles nothing
  CHECK(first_rto(detail) == 800ms);
  detail.sending.reset();
  CHECK(first_rto(detail) == std::nullopt);
}
