// Which failing calls --stack, --abort-on and --stop-on are about.
#include "capture/event/failing_calls.hh"

#include <cerrno>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::FailingCalls;

namespace {

capture::Call failed(int error) {
  capture::Call call;
  call.phase = capture::CallPhase::leave;
  call.call = "recvfrom";
  call.result = -1;
  call.error = error;
  return call;
}

}  // namespace

TEST_CASE("a call that fails with one of the errnos matches") {
  const FailingCalls chosen("--stack", {"ECONNRESET", "EAGAIN"});
  CHECK_FALSE(chosen.empty());
  CHECK(chosen.match(failed(ECONNRESET)));
  CHECK(chosen.match(failed(EAGAIN)));
  CHECK_FALSE(chosen.match(failed(ETIMEDOUT)));
  CHECK_FALSE(chosen.match(failed(0)));
}

TEST_CASE("an error that SO_ERROR hands out matches, though the call succeeds") {
  capture::Call call = failed(ECONNREFUSED);
  call.call = "getsockopt";
  call.result = 0;
  CHECK(FailingCalls("--stack", {"ECONNREFUSED"}).match(call));
}

TEST_CASE("any error does not mean those with which non-blocking sockets work") {
  const FailingCalls any("--stack", {"any"});
  CHECK(any.match(failed(ETIMEDOUT)));
  CHECK_FALSE(any.match(failed(EAGAIN)));
  CHECK_FALSE(any.match(failed(EINPROGRESS)));
  CHECK(FailingCalls("--stack", {"any", "EAGAIN"}).match(failed(EAGAIN)));
}

TEST_CASE("a call that has only been entered has not failed") {
  capture::Call call = failed(ECONNRESET);
  call.phase = capture::CallPhase::enter;
  CHECK_FALSE(FailingCalls("--stack", {"any"}).match(call));
}

TEST_CASE("an unknown errno is refused with the option's name") {
  CHECK(FailingCalls().empty());
  CHECK_THROWS_WITH(FailingCalls("--abort-on", {"ERESET"}),
                    Catch::Matchers::Contains("--abort-on: 'ERESET' is neither"));
  CHECK_THROWS_AS(FailingCalls("--stack", {"0"}), base::UsageError);
}
