#include "base/error.hh"

#include <cerrno>
#include <csignal>

#include "tests/catch.hh"

using namespace tcplab::base;

TEST_CASE("errno_name returns the names of errno(3)") {
  CHECK(errno_name(ECONNRESET) == "ECONNRESET");
  CHECK(errno_name(EAGAIN) == "EAGAIN");
  CHECK(errno_name(0) == "0");
  CHECK(errno_name(4711) == "errno 4711");
}

TEST_CASE("every named errno is found by its name") {
  for (int error = 1; error <= EHWPOISON; ++error) {
    const std::string name = errno_name(error);
    if (name.starts_with("errno ")) continue;  // 41 and 58 are unused numbers
    CHECK(errno_number(name) == error);
  }
}

TEST_CASE("an unknown errno name has the number 0") {
  CHECK(errno_number("EWOULDBLOCK") == EAGAIN);
  CHECK(errno_number("econnreset") == 0);
  CHECK(errno_number("") == 0);
  CHECK(errno_number("EVERYTHING") == 0);
}

TEST_CASE("signals are found by name, with and without SIG") {
  CHECK(signal_name(SIGPIPE) == "SIGPIPE");
  CHECK(signal_name(77) == "signal 77");
  CHECK(signal_number("SIGPIPE") == SIGPIPE);
  CHECK(signal_number("KILL") == SIGKILL);
  CHECK(signal_number("SIGNIFICANT") == 0);
}

TEST_CASE("a SystemError names the attempt and the reason") {
  errno = EPERM;
  try {
    check("open /dev/net/tun", -1);
    FAIL("check(-1) returned");
  } catch (const SystemError& error) {
    CHECK(error.error() == EPERM);
    CHECK(std::string(error.what()) == "cannot open /dev/net/tun: Operation not permitted (EPERM)");
  }
}

TEST_CASE("check returns the result of a successful call") {
  CHECK(check("read", 0) == 0);
  CHECK(check("read", 22L) == 22L);
}
