// What `tcplab trace` prints: lines of calls, connections.
#include <poll.h>

#include <cerrno>

#include "base/error.hh"
#include "reports/trace/trace_lines.hh"
#include "reports/trace/trace_summary.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_calls.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::Call;
using Catch::Matchers::Contains;
using reports::TraceFormat;
using reports::tests::kStart;
using reports::tests::returned;

namespace {

Call connected(Call call) {
  call.local = base::Endpoint::parse("10.0.0.1:40000");
  call.remote = base::Endpoint::parse("10.0.0.2:8080");
  return call;
}

std::string line(TraceFormat format, const Call& call) {
  const auto lines = reports::trace_lines(format, {});
  lines->begin(kStart, 0ns);
  return lines->call(kStart + 1s, call);
}

}  // namespace

TEST_CASE("a line has time, process, call, error by name, and connection") {
  Call call = connected(returned("recvfrom", 3, -ECONNRESET, 2s));
  call.arguments = "100 bytes";
  CHECK(
      line(TraceFormat::text, call) ==
      "1970-01-01T00:16:41.000000Z [4711] recvfrom(3, 100 bytes) = -1 ECONNRESET (Connection reset "
      "by peer) after 2 s  10.0.0.1:40000 > 10.0.0.2:8080\n");
  CHECK(line(TraceFormat::truss, call) ==
        "4711:\t   1.0000 recvfrom(3, 100 bytes)                        Err#104 ECONNRESET\n");
  CHECK_THAT(line(TraceFormat::json, call),
             Contains("\"errno\":\"ECONNRESET\"") && Contains("\"remote\":\"10.0.0.2:8080\""));
}

TEST_CASE("a call that blocks has a line of its own") {
  Call call = returned("read", 3, 0);
  call.phase = capture::CallPhase::enter;
  CHECK_THAT(line(TraceFormat::text, call), Contains("read(3) …"));
  CHECK(line(TraceFormat::truss, call) == "4711:\tread(3) (sleeping...)\n");
}

TEST_CASE("several ready descriptors are listed") {
  Call call = returned("epoll_wait", 5, 2);
  call.ready = {{7, POLLIN}, {8, POLLERR | POLLHUP}};
  CHECK_THAT(line(TraceFormat::text, call), Contains("= 2 {fd 7 IN} {fd 8 ERR|HUP}"));
  CHECK_THAT(line(TraceFormat::truss, call), Contains("= 2 {fd 7 IN} {fd 8 ERR|HUP}"));
}

TEST_CASE("a stack follows its call") {
  Call call = returned("read", 3, -ETIMEDOUT);
  call.stack = {"main app.c:7"};
  CHECK_THAT(line(TraceFormat::text, call), Contains("\n    at main app.c:7\n"));
}

TEST_CASE("a summary says how each connection went") {
  reports::TraceSummary summary;
  CHECK(summary.text(kStart).empty());
  Call option = returned("setsockopt", 3, 0);
  option.arguments = "SO_KEEPALIVE = 1";
  for (const Call& call :
       {returned("socket", -1, 3), option, connected(returned("connect", 3, -EINPROGRESS)),
        connected(returned("sendto", 3, 79)), connected(returned("recvfrom", 3, -EAGAIN)),
        connected(returned("recvfrom", 3, 1000)), connected(returned("recvfrom", 3, -ETIMEDOUT)),
        returned("close", 3, 0)})
    summary.add(kStart + 1s, call);
  CHECK(summary.text(kStart) ==
        "10.0.0.1:40000 > 10.0.0.2:8080\n"
        "  opened   process 4711: connect(3), at 1000.0 ms\n"
        "  options  SO_KEEPALIVE = 1\n"
        "  bytes    79 sent, 1000 received\n"
        "  error    recvfrom: ETIMEDOUT\n"
        "  end      closed by process 4711, last call at 1 s\n");
}

TEST_CASE("a summary names the call that a connection was in") {
  reports::TraceSummary summary;
  summary.add(kStart + 1s, connected(returned("connect", 3, 0)));
  Call waits = connected(returned("recvfrom", 3, 0));
  waits.phase = capture::CallPhase::enter;
  summary.add(kStart + 2s, waits);
  CHECK_THAT(summary.text(kStart), Contains("  blocked  in recvfrom, since 2 s\n"));
  summary.add(kStart + 3s, connected(returned("recvfrom", 3, 5)));
  CHECK(summary.text(kStart).find("blocked") == std::string::npos);
}

TEST_CASE("a connection that a blocked connect tries is in the summary") {
  reports::TraceSummary summary;
  Call waits = connected(returned("connect", 3, 0));
  waits.phase = capture::CallPhase::enter;
  summary.add(kStart + 1s, waits);
  CHECK_THAT(summary.text(kStart), Contains("  tried    process 4711: connect(3), at 1 s\n") &&
                                       Contains("  blocked  in connect, since 1 s\n"));
  summary.add(kStart + 2s, connected(returned("connect", 3, 0)));
  CHECK_THAT(summary.text(kStart), Contains("  opened   process 4711: connect(3), at 1 s\n"));
}

TEST_CASE("a connection that was never established was tried") {
  const auto opening = [](const std::vector<Call>& calls) {
    reports::TraceSummary summary;
    for (const Call& call : calls) summary.add(kStart + 1s, connected(call));
    const std::string text = summary.text(kStart);
    return text.substr(text.find('\n') + 3, 6);
  };
  Call answer = returned("getsockopt", 3, 0);
  answer.arguments = "SO_ERROR";
  CHECK(opening({returned("connect", 3, -EINPROGRESS), answer}) == "opened");
  answer.error = ECONNREFUSED;
  CHECK(opening({returned("connect", 3, -EINPROGRESS), answer}) == "tried ");
  CHECK(opening({returned("connect", 3, -ECONNREFUSED)}) == "tried ");
  CHECK(opening({returned("connect", 3, -ETIMEDOUT), returned("close", 3, 0)}) == "tried ");
  CHECK(opening({returned("connect", 3, -EINPROGRESS)}) == "tried ");
  CHECK(opening({returned("connect", 3, -EINPROGRESS), returned("connect", 3, -EISCONN)}) ==
        "opened");
  CHECK(opening({returned("connect", 3, -EINPROGRESS), returned("recvfrom", 3, 4)}) == "opened");
}

TEST_CASE("a descriptor that is used again is another connection") {
  reports::TraceSummary summary;
  for (int i = 0; i < 2; ++i) {
    summary.add(kStart + 1s, connected(returned("connect", 3, 0)));
    summary.add(kStart + 1s, returned("close", 3, 0));
  }
  const std::string text = summary.text(kStart);
  CHECK(text.find("opened") != text.rfind("opened"));
}
