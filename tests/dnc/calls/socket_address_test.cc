#include "dnc/calls/socket_address.hh"

#include <netinet/in.h>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::dnc;
using base::Family;

TEST_CASE("numeric addresses of both families are resolved") {
  CHECK(resolve({.host = "127.0.0.1", .port = "80"}).front().to_string() == "127.0.0.1:80");
  CHECK(resolve({.host = "::1", .port = "80"}).front().to_string() == "[::1]:80");
  CHECK(resolve({.host = "::1", .port = "80", .numeric = true}).front().family() == AF_INET6);
}

TEST_CASE("the wildcard address accepts both families, unless one is requested") {
  CHECK(resolve({.port = "80"}).front().family() == AF_INET6);
  CHECK(resolve({.port = "80", .family = Family::ipv4}).front().to_string() == "0.0.0.0:80");
  CHECK(resolve({.port = "80", .family = Family::ipv6}).front().to_string() == "[::]:80");
}

TEST_CASE("an IPv4-mapped address is shown as IPv4") {
  const base::Endpoint mapped{base::IpAddress::parse("::ffff:10.0.0.1").value(), 80};
  CHECK(SocketAddress(mapped).to_string() == "10.0.0.1:80");
}

TEST_CASE("a failed look-up has a one-line error") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(resolve({.host = "127.0.0.1", .port = "65536"}), Contains("not a TCP port"));
  CHECK_THROWS_WITH(resolve({.host = "127.0.0.1", .port = "-1"}), Contains("not a TCP port"));
  CHECK_THROWS_WITH(resolve({.host = "kang", .port = "80", .numeric = true}), Contains("'kang'"));
  CHECK_THROWS_WITH(resolve({.host = "::1", .port = "80", .family = Family::ipv4}),
                    Contains("'::1'"));
}
