#include "reports/ladder/failure.hh"

#include <algorithm>

#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

capture::Verdict failed() {
  capture::Verdict verdict;
  verdict.expected = "kang: read fails with ECONNRESET within 2 s";
  verdict.seen = "read(3) = 0, 71 us after the write; then no read until the time was up";
  verdict.nearest = "read(3) = 0: it returned, but did not fail";
  verdict.host = "kang";
  verdict.script = "scenarios/puzzlers/power-cycle.lua";
  verdict.line = 21;
  verdict.code = "    lab:expect(client):call(\"read\"):fails \"ECONNRESET\"";
  return verdict;
}

std::span<const Event> last(const std::vector<Event>& events, std::size_t count) {
  return std::span(events).last(std::min(count, events.size()));
}

}  // namespace

TEST_CASE("a failure shows the line, what was expected, what was seen, and the last events") {
  const SampleRun run = power_cycle();
  const auto start = run.events().front().at;
  check_golden("failure", describe_failure(failed(), last(run.events(), 16), {{}, start}));
  check_golden("failure_40",
               describe_failure(failed(), last(run.events(), 8), {{.width = 40}, start}));
}

TEST_CASE("a failure shows what programs wrote on each stream, line by line") {
  capture::Verdict verdict = failed();
  verdict.last_lines = {{"kang", "sh", "stdout", "first\n  second\x1b[31m\n"},
                        {"kodos", "dnc", "stderr", "third\n"}};
  const std::string text = describe_failure(verdict, {}, {{.width = 60}, {}});
  CHECK(text.find("  stdout    kang's sh:\n            first\n") != std::string::npos);
  CHECK(text.find("second\\x1b[31m") != std::string::npos);
  CHECK(text.find("  stderr    kodos's dnc:\n            third\n") != std::string::npos);
}

TEST_CASE("a failure without events shows only what was expected") {
  capture::Verdict verdict = failed();
  verdict.nearest.clear();
  verdict.seen.clear();
  verdict.script.clear();
  check_golden("failure_of_nothing", describe_failure(verdict, {}));
}

TEST_CASE("sequence numbers are relative to a SYN before the last events") {
  SampleRun run;
  run.hosts().frame("kang", "S", 0, 0).frame("kodos", "S.", 0, 1).frame("kang", ".", 1, 1);
  run.frame("kang", "P.", 1, 1, 22).frame("kodos", "P.", 1, 23, 4);
  EarlierEvents earlier;
  for (const Event& event : run.events()) earlier.note(event);
  const std::size_t before_count = run.events().size();
  run.frame("kang", "P.", 23, 5, 33).frame("kang", "P.", 1, 5, 22);
  const std::string text = describe_failure(failed(), std::span(run.events()).subspan(before_count),
                                            {.style = {}, .start = {}, .earlier = &earlier});
  CHECK(text.find("data 33 seq 23 ack 5") != std::string::npos);
  CHECK(text.find("data 22 again seq 1") != std::string::npos);
}

TEST_CASE("a dnc that started before the last events is known to log its calls") {
  SampleRun run;
  capture::Program program{.host = "kang", .program = "prog"};
  program.change = capture::ProgramChange::started;
  const bool is_dnc = GENERATE(true, false);
  program.command = is_dnc ? "dnc 10.0.0.2 8080" : "client 10.0.0.2 8080";
  run.hosts().add(program).action("kodos", capture::ActionVerb::power_cycle);
  EarlierEvents earlier;
  for (const Event& event : run.events()) earlier.note(event);
  const std::size_t before_count = run.events().size();
  program.change = capture::ProgramChange::exited;
  run.later(SampleRun::Time{7}).add(program);
  const std::string text = describe_failure(failed(), std::span(run.events()).subspan(before_count),
                                            {.style = {}, .start = {}, .earlier = &earlier});
  CHECK((text.find("noticed") != std::string::npos) == !is_dnc);
}

TEST_CASE("hosts are in the order in which they started") {
  SampleRun run;
  run.host("zeus", "10.0.0.1").host("ares", "10.0.0.2");
  run.action("ares", capture::ActionVerb::power_off);
  const std::string text = describe_failure(failed(), run.events());
  CHECK(text.find("The last events of zeus and ares") != std::string::npos);
  // Each host has one lane, even if it started before these events.
  CHECK(text.find("zeus 10.0.0.1 │") != std::string::npos);
  CHECK(text.find("│ ares 10.0.0.2") != std::string::npos);
}

}  // namespace tcplab::reports::tests
