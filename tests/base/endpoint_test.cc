#include "base/endpoint.hh"

#include "tests/catch.hh"

using namespace tcplab::base;

TEST_CASE("addresses are formatted and parsed like inet_ntop(3) and inet_pton(3)") {
  const auto text = GENERATE("10.0.0.1", "255.255.255.255", "::", "fd00::1", "fe80::1:2:3:4");
  const auto address = IpAddress::parse(text);
  REQUIRE(address);
  CHECK(address->to_string() == text);
}

TEST_CASE("parsing finds the address family") {
  CHECK(IpAddress::parse("10.0.0.1")->family == Family::ipv4);
  CHECK(IpAddress::parse("::ffff:10.0.0.1")->family == Family::ipv6);
  CHECK(IpAddress::parse("10.0.0.1")->size() == 4);
  CHECK(IpAddress::parse("::1")->size() == 16);
}

TEST_CASE("text that is not an address is rejected") {
  const auto text = GENERATE("", "10.0.0", "10.0.0.256", "kodos", "fd00:::1", "10.0.0.1 ");
  CHECK_FALSE(IpAddress::parse(text));
}

TEST_CASE("an address is built from bytes in network order") {
  const unsigned char bytes[] = {10, 0, 0, 7};
  CHECK(IpAddress::from_bytes(Family::ipv4, bytes).to_string() == "10.0.0.7");
}

TEST_CASE("an IPv6 endpoint has brackets (RFC 5952 section 6)") {
  const auto text = GENERATE("10.0.0.1:8080", "[fd00::1]:8080", "0.0.0.0:0", "[::]:65535");
  const auto endpoint = Endpoint::parse(text);
  REQUIRE(endpoint);
  CHECK(endpoint->to_string() == text);
}

TEST_CASE("text that is not an endpoint is rejected") {
  const auto text = GENERATE("", ":", "10.0.0.1", "10.0.0.1:", "10.0.0.1:65536", "10.0.0.1:-1",
                             "10.0.0.1:80x", "kodos:80", "[fd00::1:80", "10.0.0.1:80 ");
  CHECK_FALSE(Endpoint::parse(text));
}

TEST_CASE("endpoints are ordered by address, then port") {
  CHECK(*Endpoint::parse("10.0.0.1:9") < *Endpoint::parse("10.0.0.2:1"));
  CHECK(*Endpoint::parse("10.0.0.1:1") < *Endpoint::parse("10.0.0.1:9"));
  CHECK(*Endpoint::parse("10.0.0.1:1") == *Endpoint::parse("10.0.0.1:1"));
}
