#include "lab/plans/networks.hh"

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using base::Family;
using lab::parse_network;

namespace {

base::IpAddress address(const std::string& text) { return base::IpAddress::parse(text).value(); }

std::string network(const std::string& text, Family family) {
  const auto parsed = parse_network(text, family);
  return lab::network_address(parsed).to_string() + "/" + std::to_string(parsed.prefix_length);
}

std::string refusal(const std::string& text, Family family) {
  try {
    parse_network(text, family);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a network is an address with an optional prefix length") {
  CHECK(network("10.9.8.7/16", Family::ipv4) == "10.9.0.0/16");
  CHECK(network("10.9.8.7/13", Family::ipv4) == "10.8.0.0/13");
  CHECK(network("10.9.8.7", Family::ipv4) == "10.9.8.7/32");
  CHECK(network("fd00:9::7/48", Family::ipv6) == "fd00:9::/48");
  CHECK(network("fd00::7", Family::ipv6) == "fd00::7/128");
  CHECK(network("default", Family::ipv4) == "0.0.0.0/0");
  CHECK(network("default", Family::ipv6) == "::/0");
}

TEST_CASE("text that is not a network is refused with the reason") {
  CHECK(refusal("kang", Family::ipv4).find("\"kang\" is not an IPv4 address") == 0);
  CHECK(refusal("fd00::1", Family::ipv4).find("\"fd00::1\" is not an IPv4 address") == 0);
  CHECK(refusal("10.0.0.1", Family::ipv6).find("\"10.0.0.1\" is not an IPv6 address") == 0);
  for (const char* text : {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x"})
    CHECK(refusal(text, Family::ipv4).find("has no prefix length from 0 to 32") !=
          std::string::npos);
}

TEST_CASE("contains() tells whether an address is in a network") {
  const netns::InterfaceAddress lan{address("10.0.1.9"), 24};
  CHECK(lab::contains(lan, address("10.0.1.200")));
  CHECK_FALSE(lab::contains(lan, address("10.0.2.9")));
  CHECK_FALSE(lab::contains(lan, address("fd00::9")));
  CHECK(lab::contains({address("fd00:2::1"), 64}, address("fd00:2::ffff")));
}

TEST_CASE("an MTU must be one that the family allows") {
  CHECK_NOTHROW(lab::check_mtu("it", 68, Family::ipv4));
  CHECK_NOTHROW(lab::check_mtu("it", 1280, Family::ipv6));
  CHECK_THROWS_AS(lab::check_mtu("it", 67, Family::ipv4), base::UsageError);
  CHECK_THROWS_AS(lab::check_mtu("it", 1279, Family::ipv6), base::UsageError);
  CHECK_THROWS_AS(lab::check_mtu("it", 65522, Family::ipv4), base::UsageError);
}
