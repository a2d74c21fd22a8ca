// The waits of `tcplab trace --waits`: their lines, and their folded stacks.
#include "reports/waits/folded_waits.hh"

#include <poll.h>

#include <cerrno>

#include "reports/trace/trace_lines.hh"
#include "tests/catch.hh"
#include "tests/reports/waits/sample_waits.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::Call;
using Catch::Matchers::Contains;
using reports::FoldedWaits;
using reports::TraceFormat;
using reports::TraceWait;
using reports::tests::kStart;
using reports::tests::waited;

namespace {

std::string folded(const TraceWait& wait) {
  FoldedWaits all;
  all.add(wait);
  return all.text();
}

std::string line(TraceFormat format, const TraceWait& wait) {
  const auto lines = reports::trace_lines(format, {});
  lines->begin(kStart, 0ns);
  return lines->wait(wait);
}

/// The text of a wait without the frames.
std::string end_of(const TraceWait& wait) {
  const std::string text = folded(wait);
  const std::string frames = "python3;<module> (/srv/a.py:9);fetch (/srv/a.py:3);";
  REQUIRE(text.starts_with(frames));
  return text.substr(frames.size());
}

TraceWait unfinished() {
  TraceWait wait = waited("recvfrom", 0, 250ms);
  wait.call.phase = capture::CallPhase::enter;
  return wait;
}

}  // namespace

TEST_CASE("a folded line has the outermost frame first, the call, its end, and milliseconds") {
  CHECK(folded(waited("recvfrom", -ETIMEDOUT, 127300ms)) ==
        "python3;<module> (/srv/a.py:9);fetch (/srv/a.py:3);recvfrom 10.0.0.2:5432;ETIMEDOUT "
        "127300\n");
}

TEST_CASE("waits of the same stack and end are summed before they are rounded") {
  FoldedWaits all;
  for (int i = 0; i < 4; ++i) all.add(waited("recvfrom", 5, 10'400us));
  all.add(waited("recvfrom", 0, 7ms));
  const std::string stack =
      "python3;<module> (/srv/a.py:9);fetch (/srv/a.py:3);recvfrom 10.0.0.2:5432;";
  CHECK(all.text() == stack + "data 42\n" + stack + "end of stream 7\n");
  CHECK(FoldedWaits().text().empty());
}

TEST_CASE("a folded line says how the wait ended") {
  CHECK(end_of(waited("recvfrom", -ECONNRESET, 10ms)) == "recvfrom 10.0.0.2:5432;ECONNRESET 10\n");
  CHECK(end_of(waited("sendto", 100, 10ms)) == "sendto 10.0.0.2:5432;sent 10\n");
  CHECK(end_of(waited("connect", 0, 10ms)) == "connect 10.0.0.2:5432;connected 10\n");
  CHECK(end_of(waited("accept4", 7, 10ms)) == "accept4;accepted 10\n");
  CHECK(end_of(unfinished()) == "recvfrom 10.0.0.2:5432;not ended 250\n");
}

TEST_CASE("the end of a wait for several sockets is what was ready, and where") {
  TraceWait wait = waited("epoll_wait", 2, 10ms);
  wait.call.remote.reset();
  wait.call.ready = {{.fd = 3, .events = POLLIN}, {.fd = 4, .events = POLLIN | POLLHUP}};
  const auto local = *base::Endpoint::parse("10.0.0.1:40000");
  wait.connections = {{local, *base::Endpoint::parse("10.0.0.2:80")},
                      {local, *base::Endpoint::parse("10.0.0.3:80")}};
  CHECK(end_of(wait) == "epoll_wait 10.0.0.2:80, 10.0.0.3:80;IN|HUP 10\n");
  CHECK_THAT(line(TraceFormat::text, wait),
             Contains("  10.0.0.1:40000 > 10.0.0.2:80, 10.0.0.1:40000 > 10.0.0.3:80\n"));
  wait.connections.clear();
  wait.call.ready.clear();
  CHECK(end_of(wait) == "epoll_wait;another descriptor 10\n");
  wait.call.result = 0;
  CHECK(end_of(wait) == "epoll_wait;timeout 10\n");
}

TEST_CASE("folded frames have no addresses, and nothing that ends a frame or a line") {
  TraceWait wait = waited("recvfrom", 1, 10ms);
  wait.call.stack = {"recv+0x1e (libc.so.6)",    "0x1139 (dialer)",
                     "0x7f0000001000",           "a+0xg (b)",
                     "operator;\n() (d, d.c:7)", "JS:*f /a.js:7 (perf map)"};
  CHECK(folded(wait) ==
        "python3;JS:*f /a.js:7 (perf map);operator:\\n() (d, d.c:7);a+0xg (b);[unknown];[dialer];"
        "recv (libc.so.6);recvfrom 10.0.0.2:5432;data 10\n");
  wait.call.stack.clear();
  CHECK(folded(wait) == "python3;[no stack];recvfrom 10.0.0.2:5432;data 10\n");
}

TEST_CASE("the line of a wait has its duration to the microsecond, and its stack below") {
  const std::string stack = "    at fetch (/srv/a.py:3)\n    at <module> (/srv/a.py:9)\n";
  CHECK_THAT(line(TraceFormat::text, waited("recvfrom", 1, 127300123us)),
             Contains("recvfrom(3) = 1 after 127.300123 s") && Contains(stack));
  CHECK_THAT(line(TraceFormat::text, unfinished()),
             Contains("recvfrom(3) … not ended after 0.250000 s") && Contains(stack));
  CHECK(line(TraceFormat::truss, unfinished()) == "4711:\trecvfrom(3) (sleeping...)\n" + stack);
}

TEST_CASE("the event of a wait that has not ended is its entry, with the stack") {
  const std::string entry = line(TraceFormat::json, unfinished());
  CHECK_THAT(entry, Contains("\"phase\":\"enter\"") && Contains("\"t\":1000750000000,") &&
                        Contains("\"stack\":[\"fetch (/srv/a.py:3)\""));
  CHECK_THAT(line(TraceFormat::json, waited("recvfrom", 1, 10ms)),
             Contains("\"phase\":\"return\"") && Contains("\"t\":1001000000000,"));
}
