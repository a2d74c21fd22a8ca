#include "capture/event/socket_detail.hh"

#include "tests/catch.hh"

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
