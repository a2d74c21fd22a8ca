// The waits of the programs of a run.
#include "reports/waits/run_waits.hh"

#include <cerrno>

#include "tests/catch.hh"
#include "tests/reports/sample_calls.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::Call;
using reports::ProgramWaits;
using reports::RunWaits;
using reports::tests::kStart;

namespace {

/// Gives events to RunWaits, with numbers and times.
class WaitingRun {
public:
  void add(base::nanoseconds after, capture::Body body) {
    waits_.event({.number = ++number_, .at = kStart + after, .body = std::move(body)});
  }
  void enter(base::nanoseconds after, const Call& call) {
    Call entry = call;
    entry.phase = capture::CallPhase::enter;
    entry.result = entry.error = 0;
    add(after, entry);
  }
  void leave(base::nanoseconds after, const Call& call) { add(after, call); }
  std::vector<ProgramWaits> take() {
    waits_.finish();
    return waits_.take();
  }

private:
  RunWaits waits_;
  std::uint64_t number_ = 0;
};

Call receive(std::int64_t result) {
  Call call = reports::tests::returned("recvfrom", 3, result);
  call.id = 5;
  call.local = base::Endpoint::parse("10.0.0.1:40000");
  call.remote = base::Endpoint::parse("10.0.0.2:80");
  return call;
}

capture::Program ended(capture::ProgramChange change) {
  capture::Program program;
  program.host = "kang";
  program.program = "curl";
  program.pid = 4711;
  program.change = change;
  return program;
}

/// The end of the one wait.
std::string only_end(const std::vector<ProgramWaits>& programs) {
  REQUIRE(programs.size() == 1);
  REQUIRE(programs[0].sums.longest().size() == 1);
  return reports::end_of(programs[0].sums.longest()[0]).text;
}

}  // namespace

TEST_CASE("a call whose entry was an event waited until its return") {
  WaitingRun run;
  run.enter(1s, receive(0));
  run.leave(3s, receive(-ETIMEDOUT));
  const auto programs = run.take();
  CHECK(only_end(programs) == "ETIMEDOUT");
  CHECK(programs[0].host == "kang");
  CHECK(programs[0].program == "curl");
  CHECK(programs[0].sums.time() == 2s);
  CHECK(programs[0].sums.longest()[0].event == 2);
}

TEST_CASE("a call that did not sleep is no wait") {
  WaitingRun run;
  SECTION("it has no entry") { run.leave(3s, receive(1)); }
  SECTION("it took less than 1 ms") {
    run.enter(1s, receive(0));
    run.leave(1s + 999us, receive(1));
  }
  CHECK(run.take().empty());
}

TEST_CASE("1 ms is a wait") {
  WaitingRun run;
  run.enter(1s, receive(0));
  run.leave(1s + 1ms, receive(1));
  CHECK(only_end(run.take()) == "data");
}

TEST_CASE("a call on a descriptor that is no TCP socket is no wait") {
  WaitingRun run;
  Call call = receive(1);
  call.call = "read";
  call.local.reset();
  call.remote.reset();
  run.enter(1s, call);
  run.leave(3s, call);
  CHECK(run.take().empty());
}

TEST_CASE("a call that tcplab made, or kept from the kernel, is no wait of the program") {
  WaitingRun run;
  Call call = receive(1);
  SECTION("by tcplab") { call.by_lab = true; }
  SECTION("kept") { call.injected_delay = 2s; }
  run.enter(1s, call);
  run.leave(3s, call);
  CHECK(run.take().empty());
}

TEST_CASE("of a call that was kept from the kernel, the rest is a wait") {
  WaitingRun run;
  Call call = receive(1);
  run.enter(1s, call);
  call.injected_delay = 500ms;
  run.leave(3s, call);
  CHECK(run.take().at(0).sums.time() == 1500ms);
}

TEST_CASE("a call that never returns waits until its program, host or run ends") {
  WaitingRun run;
  run.enter(1s, receive(0));
  base::nanoseconds expected = 2s;
  SECTION("the program is killed") { run.add(3s, ended(capture::ProgramChange::killed)); }
  SECTION("the host loses its power") {
    capture::State state;
    state.host = "kang";
    state.cause = capture::StateCause::power;
    run.add(3s, state);
  }
  SECTION("another host loses its power") {
    capture::State state;
    state.host = "kodos";
    state.cause = capture::StateCause::power;
    run.add(3s, state);
    expected = 8s;
  }
  SECTION("the program writes") {
    run.add(3s, ended(capture::ProgramChange::wrote));
    expected = 8s;
  }
  run.add(9s, capture::RunEnd{});
  const auto programs = run.take();
  CHECK(only_end(programs) == "not ended");
  CHECK(programs[0].sums.time() == expected);
}
