#include "base/error.hh"

#include <cerrno>
#include <csignal>

#include "tests/catch.hh"

using namespace tcplab::base;

TEST_CASE("an errno has the name that errno(3) gives it") {
  CHECK(errno_name(ECONNRESET) == "ECONNRESET");
  CHECK(errno_name(EAGAIN) == "EAGAIN");
  CHECK(errno_name(0) == "0");
  CHECK(errno_name(4711) == "errno 4711");
}

TEST_CASE("every errno that has a name is found again by it") {
  for (int error = 1; error <= EHWPOISON; ++error) {
    const std::string name = errno_name(error);
    if (name.starts_with("errno ")) continue;  // 41 and 58 are holes
    CHECK(errno_number(name) == error);
  }
}

TEST_CASE("names that are no errno have the number 0") {
  CHECK(errno_number("EWOULDBLOCK") == EAGAIN);
  CHECK(errno_number("econnreset") == 0);
  CHECK(errno_number("") == 0);
  CHECK(errno_number("EVERYTHING") == 0);
}

TEST_CASE("signals have names, with and without SIG") {
  CHECK(signal_name(SIGPIPE) == "SIGPIPE");
  CHECK(signal_name(77) == "signal 77");
  CHECK(signal_number("SIGPIPE") == SIGPIPE);
  CHECK(signal_number("KILL") == SIGKILL);
  CHECK(signal_number("SIGNIFICANT") == 0);
}

TEST_CASE("a failed system call of the lab's own says what was tried, and why it failed") {
  errno = EPERM;
  try {
    check("open /dev/net/tun", -1);
    FAIL("check(-1) returned");
  } catch (const SystemError& error) {
    CHECK(error.error() == EPERM);
    CHECK(std::string(error.what()) == "cannot open /dev/net/tun: Operation not permitted (EPERM)");
  }
}

TEST_CASE("a call that succeeded is passed through") {
  CHECK(check("read", 0) == 0);
  CHECK(check("read", 22L) == 22L);
}
