#include "netns/sysctl.hh"

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("a sysctl is found by its name with dots or with slashes") {
  CHECK(netns::has_sysctl("net.ipv4.tcp_retries2"));
  CHECK(netns::read_sysctl("net.ipv4.tcp_retries2") == netns::read_sysctl("net/ipv4/tcp_retries2"));
  CHECK_FALSE(netns::has_sysctl("net.ipv4.tcp_no_such_thing"));
}

TEST_CASE("only sysctls under net. are accepted") {
  for (const char* name : {"kernel.panic", "vm.swappiness", "net/../kernel/panic", "/etc/passwd"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(netns::write_sysctl(name, "0"), base::UsageError);
    CHECK_THROWS_AS(netns::read_sysctl(name), base::UsageError);
    CHECK_THROWS_AS(netns::has_sysctl(name), base::UsageError);
  }
}

TEST_CASE("an unknown sysctl is named in the error") {
  CHECK_THROWS_WITH(netns::write_sysctl("net.ipv4.tcp_nope", "1"),
                    "cannot set sysctl net.ipv4.tcp_nope to 1: "
                    "No such file or directory (ENOENT)");
}
