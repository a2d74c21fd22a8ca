#include "reports/brief/brief.hh"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "reports/brief/brief_svg.hh"
#include "reports/brief/mermaid.hh"
#include "reports/html/words.hh"
#include "tests/catch.hh"
#include "tests/reports/html/gathered.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Returns the words of all steps, each on a line.
std::string words_of_all(const Brief& brief) {
  std::string text;
  for (const Step& step : brief.page.steps) text += html::words_of(brief.page, step) + "\n";
  return text;
}

std::string gap_texts(const Brief& brief) {
  std::string text;
  for (const auto& [index, gap] : brief.gaps) text += gap.text + "\n";
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::set<std::uint64_t> state_changes(const html::PageRun& page) {
  std::set<std::uint64_t> numbers;
  for (const Step& step : page.steps)
    for (const std::uint64_t number : step.events)
      if (const capture::Event* event = page.event(number);
          event != nullptr && std::holds_alternative<capture::State>(event->body))
        numbers.insert(number);
  return numbers;
}

using Arrives = bool (*)(unsigned);
bool never(unsigned) { return false; }
bool always(unsigned) { return true; }
bool every_third(unsigned attempt) { return attempt % 3 == 0; }

/// A run in which kang retransmits a segment 14 times; the wire loses those that do not arrive.
SampleRun silence(Arrives arrives) {
  SampleRun run;
  run.start({.scenario = "silence"}).hosts().frame("kang", "S", 0, 0).frame("kodos", "S.", 0, 1);
  run.action("kodos", capture::ActionVerb::power_off);
  const capture::Effect gone{.kind = capture::EffectKind::receiver_gone};
  for (unsigned attempt = 0; attempt <= 14; ++attempt) {
    run.later(seconds(1));
    if (arrives(attempt))
      run.frame("kang", "P.", 1, 1, 22);
    else
      run.lose("kang", "P.", 1, 1, 22, gone);
  }
  run.later(seconds(1)).call("kang", "read", 3, -1, ETIMEDOUT);
  return run.end(capture::Outcome::passed);
}

}  // namespace

TEST_CASE("a picture has the steps that a run is about, and says how many it leaves out") {
  const Brief brief = brief_of(gathered(power_cycle()));
  const std::string words = words_of_all(brief);
  CHECK(brief.shown >= 5);
  CHECK(brief.shown <= 12);
  CHECK(brief.all > brief.shown);
  for (const char* part : {"SYN", "power_cycle", "RST", "ECONNRESET"}) {
    INFO(part);
    CHECK(contains(words, part));
  }
  CHECK(contains(foot_of(brief), std::to_string(brief.shown) + " of " + std::to_string(brief.all) +
                                     " steps · ✓ passed · IPv4"));
}

TEST_CASE("a run as short as its picture has no gaps") {
  SampleRun run;
  run.start({.scenario = "short"}).hosts();
  run.frame("kang", "S", 0, 0).frame("kodos", "R.", 0, 1);
  run.call("kang", "connect", 3, -1, ECONNREFUSED).end(capture::Outcome::passed);
  const Brief brief = brief_of(gathered(run));
  CHECK(brief.gaps.empty());
  CHECK(brief.shown == brief.all);
  CHECK(brief.shown == 3);
}

TEST_CASE("a gap of one step shows the step instead") {
  for (const SampleRun& run : {power_cycle(), warm_up(), with_loss(), three_hosts()}) {
    const Brief brief = brief_of(gathered(run));
    for (const auto& [index, gap] : brief.gaps) {
      INFO(gap.text);
      CHECK((gap.text.rfind("1 ", 0) != 0 || contains(gap.text, ", ")));
    }
  }
}

TEST_CASE("the bands of a picture know each change of a state, also of steps that are left out") {
  for (const SampleRun& run : {power_cycle(), warm_up(), with_loss(), with_kernels()}) {
    const html::PageRun page = gathered(run);
    CHECK_FALSE(state_changes(page).empty());
    CHECK(state_changes(brief_of(page).page) == state_changes(page));
  }
}

TEST_CASE("a gap counts retransmissions, and says whether they were lost") {
  const std::string lost = gap_texts(brief_of(gathered(silence(never))));
  CHECK(contains(lost, " retransmissions, all lost, in "));
  const std::string some = gap_texts(brief_of(gathered(silence(every_third))));
  INFO(some);
  CHECK(contains(some, " retransmissions; "));
  CHECK(contains(some, " frames lost, in "));
  const std::string none = gap_texts(brief_of(gathered(silence(always))));
  CHECK(contains(none, " retransmissions, in "));
  CHECK_FALSE(contains(none, "lost"));
}

TEST_CASE("a gap names the last state of a host, and counts its other connections") {
  const auto states_after = [](int connections) {
    SampleRun run;
    run.start({.scenario = "many"}).hosts();
    for (int count = 0; count < connections; ++count) {
      capture::State state{.host = "kang", .from = TcpState::closed, .to = TcpState::syn_sent};
      state.local = *capture::Endpoint::parse("10.0.0.1:" + std::to_string(40000 + count));
      state.remote = *capture::Endpoint::parse("10.0.0.2:8080");
      run.later(milliseconds(1)).add(state).call("kang", "getsockopt", 3, 0);
    }
    for (int count = 0; count < 12; ++count) run.verdict(false, "this", "that");
    const Brief brief = brief_of(gathered(run.end(capture::Outcome::failed)));
    std::string texts;
    for (const auto& [index, gap] : brief.gaps)
      for (const StateLine& state : gap.states)
        texts += state.host + ": " + state.text.text() + "\n";
    return texts;
  };
  CHECK(contains(states_after(9), "kang: SYN_SENT #9 and 8 more\n"));
  CHECK_FALSE(contains(states_after(1), "more"));
}

TEST_CASE("a held frame is shown from its stop to its delivery") {
  const Brief brief = brief_of(gathered(with_loss()));
  std::map<std::uint64_t, int> steps;
  for (const Step& step : brief.page.steps)
    if (const capture::Packet* packet = brief.page.packet_of(step)) ++steps[packet->frame];
  CHECK(std::ranges::count(steps, 2, [](const auto& each) { return each.second; }) == 1);
}

TEST_CASE("in a diagram of Mermaid, the arrow shows what became of a frame") {
  const std::string text = brief_mermaid(brief_of(gathered(silence(never))));
  CHECK(contains(text, "  host1->>host2: "));
  CHECK(contains(text, "  host1-xhost2: "));
  CHECK_FALSE(contains(brief_mermaid(brief_of(gathered(silence(always)))), "-x"));
  const std::string faults = brief_mermaid(brief_of(gathered(with_loss())));
  CHECK(contains(faults, "  host2--)host1: "));
  CHECK(contains(faults, "  forger-->>host2: "));
  CHECK(contains(faults, "  participant forger as nobody<br/>(forged)\n"));
}

TEST_CASE("text in a diagram of Mermaid is no syntax") {
  CHECK(mermaid_text("a;b #2 <br/> %%{x}") == "a#59;b #35;2 #60;br/#62; #37;#37;#123;x#125;");
  CHECK(mermaid_text("style x: classDef") == "st#121;le x: class#68;ef");
  CHECK(mermaid_text("ACK 1, win 0: end (of) read = -1 …") == "ACK 1, win 0: end (of) read = -1 …");
  CHECK(mermaid_text("two\nlines\x1b") == "two#92;nlines#92;x1b");
}

TEST_CASE("a picture shows each fate, and escapes text from outside") {
  const std::string faults = brief_svg(brief_of(gathered(with_loss())));
  for (const char* part : {"class=\"lostmark\"", "class=\"heldmark\"", "class=\"hangs\"", "forged"})
    CHECK(contains(faults, part));
  const std::string without = brief_svg(brief_of(gathered(warm_up())));
  CHECK_FALSE(contains(without, "class=\"lostmark\""));
  CHECK_FALSE(contains(without, "class=\"heldmark\""));
  for (const std::string& text : {brief_svg(brief_of(gathered(hostile_text()))),
                                  brief_mermaid(brief_of(gathered(hostile_text())))})
    CHECK(std::ranges::none_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }));
}

TEST_CASE("a run without any step has a picture, too") {
  SampleRun run;
  run.start({.scenario = "nothing"});
  const Brief brief = brief_of(gathered(run));
  CHECK(contains(foot_of(brief), "0 of 0 steps · not finished · IPv4"));
  CHECK(contains(brief_svg(brief), "</svg>\n"));
  CHECK(contains(brief_mermaid(brief), "sequenceDiagram\n"));
}

}  // namespace tcplab::reports::tests
