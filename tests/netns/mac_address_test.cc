#include "netns/mac_address.hh"

#include "tests/catch.hh"

using tcplab::netns::MacAddress;

TEST_CASE("a local address has its number in the last two bytes") {
  CHECK(MacAddress::local(1).to_string() == "02:00:00:00:00:01");
  CHECK(MacAddress::local(0xabcd).to_string() == "02:00:00:00:ab:cd");
  CHECK(MacAddress::local(0x203e8).to_string() == "02:00:00:02:03:e8");
  CHECK_FALSE(MacAddress::local(0xffff).is_group());
}

TEST_CASE("broadcast and multicast addresses are groups") {
  CHECK(MacAddress{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}.is_group());
  CHECK(MacAddress{{0x33, 0x33, 0, 0, 0, 1}}.is_group());
}
