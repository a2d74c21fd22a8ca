#include "reports/html/highlights.hh"

#include <algorithm>
#include <cerrno>

#include "reports/html/script_lines.hh"
#include "reports/html/words.hh"
#include "tests/catch.hh"
#include "tests/reports/html/gathered.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using std::chrono::milliseconds;

/// Returns the words of the steps that matter most, in their order in the run.
std::vector<std::string> short_version(const html::PageRun& page, std::size_t most) {
  std::vector<std::size_t> indices = html::highlights(page);
  indices.resize(std::min(indices.size(), most));
  std::ranges::sort(indices);
  std::vector<std::string> words;
  for (const std::size_t index : indices) words.push_back(words_of(page, page.steps[index]));
  return words;
}

bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(
      lines, [&part](const auto& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("the short version of a power cycle has what it is about") {
  const std::vector<std::string> lines = short_version(gathered(power_cycle()), 12);
  CHECK(lines.size() >= 8);
  for (const char* part : {"power_cycle", "SYN", "data 22", "RST", "ECONNRESET"}) {
    INFO(part);
    CHECK(mentions(lines, part));
  }
  CHECK_FALSE(mentions(lines, "sends ACK"));
}

TEST_CASE("equal steps do not displace the only one of its kind") {
  SampleRun run;
  run.start({}).hosts().frame("kang", "S", 0, 0);
  for (unsigned number = 0; number < 40; ++number)
    run.later(milliseconds(1)).frame("kang", "P.", 1 + 22 * number, 1, 22);
  run.frame("kodos", "R", 1, 0);
  const std::vector<std::string> lines = short_version(gathered(run), 8);
  CHECK(mentions(lines, "SYN"));
  CHECK(mentions(lines, "RST"));
  CHECK(mentions(lines, "data 22"));
}

TEST_CASE("a failed expectation is in the shortest version") {
  SampleRun run = power_cycle();
  run.verdict(false, "kang: read returns 3", "");
  CHECK(mentions(short_version(gathered(run), 1), "kang: read returns 3"));
}

TEST_CASE("while an expectation waits, the script is at its line") {
  SampleRun run;
  run.start({.file = "a.lua"}).hosts();
  run.add(capture::Action{.host = "kodos", .verb = capture::ActionVerb::unplug, .line = 10});
  run.frame("kang", "P.", 1, 1, 22);
  run.add(capture::Verdict{.passed = true, .expected = "it", .script = "a.lua", .line = 12});
  run.frame("kodos", ".", 1, 23);
  run.add(capture::Action{.host = "kodos", .verb = capture::ActionVerb::plug, .line = 14});
  run.frame("kodos", "R", 1, 0);
  const html::PageRun page = gathered(run);
  const std::vector<int> lines = html::script_lines(page);
  const auto line_of = [&](const std::string& words) {
    for (std::size_t index = 0; index < lines.size(); ++index)
      if (words_of(page, page.steps[index]).find(words) != std::string::npos) return lines[index];
    return -1;
  };
  CHECK(line_of("unplug") == 10);
  CHECK(line_of("data 22") == 12);
  CHECK(line_of("ACK 23") == 12);
  CHECK(line_of("RST") == 14);
}

TEST_CASE("during a wait the script is at the wait") {
  SampleRun run;
  run.start({.file = "a.lua"}).hosts();
  run.add(capture::Action{.verb = capture::ActionVerb::wait, .span = milliseconds(100), .line = 7});
  run.later(milliseconds(50)).frame("kang", "P.", 1, 1, 22);
  run.later(milliseconds(100)).frame("kang", "P.", 23, 1, 10);
  run.add(capture::Verdict{.passed = true, .expected = "it", .script = "a.lua", .line = 9});
  const html::PageRun page = gathered(run);
  const std::vector<int> lines = html::script_lines(page);
  CHECK(std::ranges::count(lines, 7) == 2);
  CHECK(std::ranges::count(lines, 9) == 2);
}

}  // namespace tcplab::reports::tests
