#include "reports/text/call_text.hh"

#include <poll.h>

#include <cerrno>

#include "tests/catch.hh"

namespace tcplab::reports::tests {

namespace {

using capture::Call;
using capture::CallPhase;

Call returned(const std::string& name, int fd, long result, int error = 0) {
  Call call;
  call.phase = CallPhase::leave;
  call.call = name;
  call.fd = fd;
  call.result = result;
  call.error = error;
  return call;
}

std::string whole(const Call& call) { return call_text(call, CallView::whole, {}, {}).text(); }

}  // namespace

TEST_CASE("calls are formatted as strace does") {
  Call read = returned("read", 3, 6);
  read.data = "hello\\n";
  CHECK(whole(read) == R"(read(3) = 6 "hello\n")");
  read.result = 600;
  CHECK(whole(read) == R"(read(3) = 600 "hello\n"…)");
  CHECK(whole(returned("read", 3, 0)) == "read(3) = 0 end of stream");
  CHECK(whole(returned("read", 3, -1, ECONNRESET)) == "read(3) = -1 ECONNRESET");
  CHECK(whole(returned("write", 3, 0)) == "write(3) = 0");
}

TEST_CASE("a blocked call and its return are two texts") {
  Call poll;
  poll.call = "poll";
  poll.arguments = "{fd 3 IN}, timeout none";
  CHECK(call_text(poll, CallView::waits, {}, {}).text() == "poll() …");
  Call done = returned("poll", -1, 1);
  done.revents = POLLIN | POLLERR | POLLHUP;
  CHECK(call_text(done, CallView::returns, {}, {}).text() == "… poll() = 1 IN|ERR|HUP");
  done.stdin_revents = POLLHUP;
  CHECK(whole(done) == "poll() = 1 IN|ERR|HUP stdin HUP");
  CHECK(whole(returned("poll", -1, 0)) == "poll() = 0 timeout");
  CHECK(call_text(poll, CallView::waits, {}, {.verbose = true}).text() ==
        "poll({fd 3 IN}, timeout none) …");
}

TEST_CASE("what a script has injected is marked") {
  Call read = returned("read", 3, -1, EINTR);
  read.injected = true;
  CHECK(whole(read) == "read(3) = -1 EINTR injected");
  Call connect = returned("connect", 3, 0);
  connect.injected_delay = std::chrono::milliseconds(300);
  CHECK(whole(connect) == "connect(3) = 0 injected delay of 300.0 ms");
  CHECK(call_text(connect, CallView::waits, {}, {}).text() ==
        "connect(3) … injected delay of 300.0 ms");
}

TEST_CASE("SO_ERROR shows the error as its value") {
  Call call = returned("getsockopt", 3, 0, EPIPE);
  call.arguments = "SOL_SOCKET, SO_ERROR";
  CHECK(whole(call) == "SO_ERROR = EPIPE");
  call.error = 0;
  CHECK(whole(call) == "SO_ERROR = 0");
  CHECK_FALSE(is_boring(call));
}

TEST_CASE("addresses appear as host names") {
  HostNames names;
  names.learn({"kodos", 1, {{"eth0", "", {"10.0.0.2/24", "fd00::2"}}}});
  Call connect = returned("connect", 3, 0);
  connect.remote = capture::Endpoint::parse("[fd00::2]:8080");
  CHECK(call_text(connect, CallView::whole, names, {}).text() == "connect(3, kodos:8080) = 0");
  connect.remote.reset();  // at the start of the call, only its arguments are known
  connect.arguments = "[fd00::2]:8080";
  CHECK(call_text(connect, CallView::waits, names, {}).text() == "connect(3, kodos:8080) …");
  connect.remote = capture::Endpoint::parse("192.0.2.7:80");
  CHECK(call_text(connect, CallView::whole, names, {}).text() == "connect(3, 192.0.2.7:80) = 0");
}

TEST_CASE("calls that show nothing about TCP are boring, unless they fail") {
  CHECK(is_boring(returned("setsockopt", 3, 0)));
  CHECK(is_boring(returned("bind", 3, 0)));
  CHECK_FALSE(is_boring(returned("bind", 3, -1, EADDRINUSE)));
  CHECK(is_boring(returned("read", 0, 6)));
  CHECK_FALSE(is_boring(returned("read", 0, 0)));  // the end of standard input
  CHECK_FALSE(is_boring(returned("read", 3, 6)));
  Call stdin_only = returned("poll", -1, 1);
  stdin_only.stdin_revents = POLLIN;
  CHECK(is_boring(stdin_only));
}

}  // namespace tcplab::reports::tests
