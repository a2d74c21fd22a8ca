#include "reports/ladder/ladder.hh"

#include <algorithm>
#include <csignal>
#include <sstream>
#include <string>

#include "reports/text/text.hh"
#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string ladder_of(const std::vector<Event>& events, const Style& style) {
  std::ostringstream out;
  Ladder ladder(out, style);
  for (const Event& event : events) ladder.event(event);
  ladder.finish();
  return out.str();
}

std::string ladder_of(const SampleRun& run, const Style& style = {}) {
  return ladder_of(run.events(), style);
}

int widest_line(const std::string& text) {
  std::istringstream lines(text);
  int widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, columns(line));
  return widest;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("the ladder of the warm-up") { check_golden("warm_up", ladder_of(warm_up())); }

TEST_CASE("the ladder of a power cycle") {
  check_golden("power_cycle", ladder_of(power_cycle()));
  check_golden("power_cycle_80", ladder_of(power_cycle(), {.width = 80}));
  check_golden("power_cycle_140", ladder_of(power_cycle(), {.width = 140}));
  check_golden("power_cycle_40", ladder_of(power_cycle(), {.width = 40}));
  check_golden("power_cycle_colour", ladder_of(power_cycle(), {.colour = true}));
}

TEST_CASE("a kernel event is below its frame, on its host's side") {
  check_golden("kernels", ladder_of(with_kernels()));
  check_golden("kernels_40", ladder_of(with_kernels(), {.width = 40}));
}

TEST_CASE("lost, held and forged frames, and floods, are drawn") {
  check_golden("with_loss", ladder_of(with_loss()));
  check_golden("with_loss_ascii", ladder_of(with_loss(), {.unicode = false}));
  check_golden("with_loss_verbose", ladder_of(with_loss(), {.verbose = true}));
}

TEST_CASE("a remark before the hosts does not change the layout") {
  SampleRun run;
  run.start({}).add(capture::Note{"a remark"}).hosts().at(milliseconds(1));
  run.call("kang", "read", 3, 6);
  const std::string narrow = ladder_of(run, {.width = 40});
  CHECK(has(narrow, "a remark"));
  CHECK(has(narrow, "kang read(3) = 6"));
  CHECK(widest_line(narrow) <= 40);
  SampleRun silent;
  silent.start({}).add(capture::Note{"no host at all"});
  CHECK(has(ladder_of(silent), "no host at all"));
}

TEST_CASE("times from 1000 s on keep all digits of the second") {
  SampleRun run;
  run.start({}).hosts().at(seconds(7200)).call("kang", "read", 3, 6);
  for (const int width : {80, 100, 140}) {
    const std::string text = ladder_of(run, {.width = width});
    CHECK(has(text, "7200.0"));
    CHECK_FALSE(has(text, "\n200.0"));
  }
}

TEST_CASE("three hosts are side by side") {
  check_golden("three_hosts", ladder_of(three_hosts()));
  check_golden("three_hosts_72", ladder_of(three_hosts(), {.width = 72}));
}

TEST_CASE("no line is wider than the window") {
  const int width = GENERATE(140, 100, 90, 80, 72, 71, 40, 20);
  for (const SampleRun& run : {warm_up(), power_cycle(), with_loss(), three_hosts()})
    CHECK(widest_line(ladder_of(run, {.width = width})) <= width);
}

TEST_CASE("a very small window does no harm") {
  const int width = GENERATE(-5, 0, 1, 10, 100000);
  CHECK(has(ladder_of(power_cycle(), {.width = width}), "passed"));
}

TEST_CASE("control characters from outside never reach the terminal") {
  const bool unicode = GENERATE(true, false);
  const std::string text = ladder_of(hostile_text(), {.unicode = unicode});
  for (const char letter : text) CHECK((letter == '\n' || (letter & 0xe0) != 0));
  CHECK(text.find("\x7f") == std::string::npos);
  CHECK(printable(text).find("\\xff") != std::string::npos);
  if (unicode) CHECK(text.find("\xc2\x9b") == std::string::npos);
  if (!unicode) CHECK(std::ranges::all_of(text, [](char letter) { return letter > 0; }));
}

TEST_CASE("events that arrive late are drawn at their time") {
  std::vector<Event> events = power_cycle().events();
  const std::string expected = ladder_of(events, {});
  // Programs' calls arrive through pipes: each one 30 ms after its time.
  std::stable_sort(events.begin(), events.end(), [](const Event& one, const Event& other) {
    const auto lateness = [](const Event& event) {
      if (std::holds_alternative<capture::RunEnd>(event.body)) return milliseconds(31);
      return std::holds_alternative<capture::Call>(event.body) ? milliseconds(30) : milliseconds(0);
    };
    return one.at + lateness(one) < other.at + lateness(other);
  });
  CHECK(ladder_of(events, {}) == expected);
}

TEST_CASE("flush draws only events up to its time") {
  std::ostringstream out;
  Ladder ladder(out, {});
  const SampleRun run = warm_up();
  std::size_t fed = 0;
  while (!std::holds_alternative<capture::Action>(run.events()[fed].body))
    ladder.event(run.events()[fed++]);
  CHECK_FALSE(has(out.str(), "SYN ACK"));
  ladder.flush(run.events().front().at + microseconds(11'430));
  CHECK(has(out.str(), "SYN ACK"));
  CHECK_FALSE(has(out.str(), "ACK 1 "));
  ladder.flush(run.events()[fed].at);
  CHECK(has(out.str(), "ACK 1 "));
}

TEST_CASE("a call is one line unless another event comes before its return") {
  SampleRun run;
  run.start({}).hosts().at(milliseconds(1));
  run.call("kang", "read", 3, 5, 0, "hello");
  CHECK(has(ladder_of(run), "read(3) = 5 \"hello\""));
  CHECK_FALSE(has(ladder_of(run), "read(3) …"));
  run.enter("kang", "read", 3).later(seconds(5)).leave("kang", "read", 3, -1, 110);
  CHECK(has(ladder_of(run), "read(3) …"));
  CHECK(has(ladder_of(run), "… read(3) = -1 ETIMEDOUT"));
  CHECK(has(ladder_of(run, {.width = 120}), "after 5 s"));
}

TEST_CASE("a state is beside its frame even if it was seen first") {
  SampleRun run;
  run.start({}).hosts().at(milliseconds(1));
  capture::Packet syn = run.packet("kang", "S", 0, 0, 0);
  run.state("kang", TcpState::closed, TcpState::syn_sent).later(microseconds(40)).add(syn);
  CHECK(has(ladder_of(run), "SYN_SENT │─────────── SYN ───────────▶│"));
}

TEST_CASE("a busy machine does not make a frame look held") {
  SampleRun run;
  run.start({}).hosts().at(milliseconds(1));
  capture::Packet late = run.packet("kang", "S", 0, 0, 0);
  late.delivered = late.sent + milliseconds(20);
  run.add(late);
  CHECK_FALSE(has(ladder_of(run), "held"));
  late.effects = {{.kind = capture::EffectKind::stepped}};
  run.add(late);
  CHECK(has(ladder_of(run), "after 20.0 ms: stepped"));
}

TEST_CASE("the output of a program without recorded calls is shown") {
  capture::Program program;
  program.host = "kang";
  program.program = "nc";
  program.change = capture::ProgramChange::wrote;
  program.stream = "stdout";
  program.text = "hello\n";
  SampleRun run;
  run.start({}).hosts().at(milliseconds(1)).add(program);
  CHECK(has(ladder_of(run), "nc: hello\\n"));
  program.program = "dnc-2";
  SampleRun recorded;
  recorded.start({}).hosts().at(milliseconds(1)).call("kang", "read", 3, 1).add(program);
  CHECK_FALSE(has(ladder_of(recorded), "hello"));
}

TEST_CASE("a killed program is shown, unless its host lost power") {
  capture::Program killed;
  killed.host = "kodos";
  killed.program = "dnc";
  killed.change = capture::ProgramChange::started;
  SampleRun run;
  run.start({}).hosts().at(milliseconds(1)).add(killed).later(milliseconds(1));
  killed.change = capture::ProgramChange::killed;
  killed.code = SIGKILL;
  SampleRun powerless = run;
  powerless.action("kodos", capture::ActionVerb::power_off).later(milliseconds(1)).add(killed);
  run.add(killed);
  CHECK(has(ladder_of(run), "dnc is killed by SIGKILL"));
  CHECK_FALSE(has(ladder_of(powerless), "SIGKILL"));
  CHECK(has(ladder_of(powerless, {.verbose = true}), "SIGKILL"));
}

TEST_CASE("the only program of a host is shown without its name") {
  SampleRun run;
  run.start({}).hosts().at(milliseconds(1)).call("kodos", "read", 4, 6);
  CHECK_FALSE(has(ladder_of(run), "dnc: read(4)"));
  run.call("kodos", "read", 4, 6);
  capture::Call other = std::get<capture::Call>(run.events().back().body);
  other.program = "dnc-3";
  run.add(other);
  CHECK(has(ladder_of(run), "dnc-3: read(4) = 6"));
  capture::Program exited;
  exited.host = "kodos";
  exited.program = "dnc";
  exited.change = capture::ProgramChange::exited;
  other.call = "accept";
  run.add(exited).add(other);
  CHECK(has(ladder_of(run), "\u2502 accept(4) = 6"));
}

TEST_CASE("the ladder draws each of 100,000 events, and keeps at most 2048 waiting") {
  std::ostringstream out;
  Ladder ladder(out, {});
  SampleRun beginning;
  beginning.start({}).hosts();
  for (const Event& event : beginning.events()) ladder.event(event);
  std::size_t longest_wait = 0;
  constexpr int kRounds = 25'000;
  for (int round = 0; round < kRounds; ++round) {
    SampleRun burst;
    burst.at(microseconds(1000 + 100 * round));
    burst.call("kang", "write", 3, 22, 0, "data").frame("kang", "P.", 1, 1, 22);
    burst.frame("kodos", ".", 1, 23).call("kodos", "read", 4, 22, 0, "data");
    for (const Event& event : burst.events()) ladder.event(event);
    longest_wait = std::max(longest_wait, ladder.waiting());
  }
  ladder.finish();
  CHECK(longest_wait <= 2048);
  const std::string text = out.str();
  for (const char* what : {"write(3) = 22", "data 22", "ACK 23", "read(4) = 22"}) {
    CAPTURE(what);
    CHECK(count_of(text, what) == kRounds);
  }
}

}  // namespace tcplab::reports::tests
