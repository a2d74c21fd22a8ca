// How long calls took, in a trace and in a run.
#include <cerrno>

#include "base/error.hh"
#include "reports/latency/latency_text.hh"
#include "reports/latency/run_latency.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_calls.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::Call;
using Catch::Matchers::Contains;
using reports::latency_text;
using reports::LatencyTable;
using reports::tests::kStart;
using reports::tests::returned;

namespace {

Call entered(const std::string& name, std::uint64_t id) {
  Call call = returned(name, 3, 0);
  call.phase = capture::CallPhase::enter;
  call.id = id;
  return call;
}

capture::Event event(std::uint64_t number, capture::Instant at, auto body) {
  return {.number = number, .at = at, .body = std::move(body)};
}

}  // namespace

TEST_CASE("latency is counted by call, result, and whether it blocked") {
  LatencyTable table;
  CHECK(latency_text(table, kStart).empty());
  for (const auto took : {1us, 2us, 3us}) table.add(kStart + 1s, returned("read", 3, 5, took));
  const auto block = [&table](Call call, std::uint64_t id) {
    table.add(call.entered, entered(call.call, id));
    call.id = id;
    table.add(kStart + 1s, call);
  };
  block(returned("read", 3, 5, 1000us), 7);
  block(returned("read", 3, -ETIMEDOUT, 100ms), 8);
  const std::string text = latency_text(table, kStart);
  CHECK_THAT(text, Contains("read = ETIMEDOUT, blocked: 1 call, 100.0 ms\n"));
  CHECK_THAT(text,
             Contains("read = ok, at once: 3 calls, p50 2 us, p90 3 us, p99 3 us, max 3 us\n"));
  CHECK_THAT(text, Contains("read = ok, blocked: 1 call, 1.0 ms\n"));
  CHECK(text.find("ETIMEDOUT") < text.find("read = ok"));  // the slowest first
}

TEST_CASE("a call that took long without sleeping did not block") {
  LatencyTable table;
  table.add(kStart + 1s, returned("close", 3, 0, 5ms));
  CHECK(latency_text(table, kStart) == "close = 0, at once: 1 call, 5.0 ms\n");
  table.add(kStart + 1s, entered("read", 7));
  Call read = returned("read", 3, 5, 20us);
  read.id = 7;
  table.add(kStart + 1s, read);
  CHECK_THAT(latency_text(table, kStart), Contains("read = ok, at once: 1 call"));
}

TEST_CASE("a histogram has powers of two") {
  LatencyTable table;
  table.add(kStart + 1s, returned("write", 3, 5, 1024ns));
  table.add(kStart + 1s, returned("write", 3, 5, 5000ns));
  table.add(kStart + 1s, returned("write", 3, 5, 8000ns));
  CHECK_THAT(latency_text(table, kStart),
             Contains("  [1.02 us, 2.05 us)        1 |@@@@@@@@@@@@@@@@@@@@                    |\n"
                      "  [2.05 us,  4.1 us)        0 |                                        |\n"
                      "  [ 4.1 us, 8.19 us)        2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|"));
}

TEST_CASE("the slowest call of a row has the number of its event") {
  LatencyTable table;
  table.add(kStart, returned("read", 3, 5, 20us), 8);
  table.add(kStart, returned("read", 3, 5, 30us), 9);
  table.add(kStart, returned("read", 3, 5, 10us), 10);
  REQUIRE(table.rows().size() == 1);
  CHECK(table.rows()[0].slowest().event == 9);
}

TEST_CASE("each program of a run has latencies of its own, and its calls that did not return") {
  reports::RunLatency latency;
  CHECK(run_latency_text(latency).empty());
  latency.event(event(1, kStart, capture::RunStart{}));
  latency.event(event(2, kStart + 1s, returned("connect", 3, 0, 30us)));
  Call other = returned("accept", 3, 4, 40us);
  other.host = "kodos";
  other.program = "dnc";
  latency.event(event(3, kStart + 1s, other));
  Call poll = entered("poll", 7);
  latency.event(event(4, kStart + 1s, poll));
  poll.phase = capture::CallPhase::leave;
  latency.event(event(5, kStart + 2s, poll));
  latency.event(event(6, kStart + 2s, entered("read", 8)));
  latency.event(event(7, kStart + 3s, capture::RunEnd{}));
  CHECK(run_latency_text(latency) ==
        "kang's curl\n"
        "read: not returned after 1 s, when the run ended; process 4711 entered it at 2 s\n"
        "poll = 0, blocked: 1 call, 1 s\n"
        "  slowest: 1 s in process 4711, which returned at 2 s\n"
        "connect = 0, at once: 1 call, 30 us\n"
        "\n"
        "kodos's dnc\n"
        "accept = ok, at once: 1 call, 40 us\n");
}

TEST_CASE("a program that has ended has no call that did not return") {
  reports::RunLatency latency;
  latency.event(event(1, kStart, entered("read", 8)));
  REQUIRE(latency.programs().size() == 1);
  latency.event(
      event(2, kStart + 1s,
            capture::Program{
                .host = "kang", .program = "curl", .change = capture::ProgramChange::killed}));
  CHECK(latency.programs().empty());
}
