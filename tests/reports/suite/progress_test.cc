#include "reports/suite/progress.hh"

#include <algorithm>
#include <sstream>

#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_results.hh"

namespace tcplab::reports::tests {

namespace {

using std::chrono::milliseconds;

/// Shows the progress of a suite of five runs, two at a time.
std::string progress_of(const Style& style, bool is_terminal) {
  std::ostringstream out;
  const std::vector<RunResult> results = sample_results();
  Progress progress(out, style, is_terminal, {.total = int(results.size())});
  progress.started(1, results[0].name, results[0].variant, milliseconds(0));
  progress.started(2, results[1].name, results[1].variant, milliseconds(1));
  progress.waits(2, "kang: write returns 22");
  progress.tick(milliseconds(100));
  progress.finished(1, results[0], milliseconds(1251));
  progress.started(3, results[2].name, results[2].variant, milliseconds(1251));
  progress.finished(3, results[2], milliseconds(1252));
  progress.finished(2, results[1], milliseconds(1300));
  progress.started(4, results[3].name, results[3].variant, milliseconds(1300));
  progress.finished(4, results[3], milliseconds(1310));
  progress.summary(milliseconds(1311));
  return out.str();
}

/// Returns the lines that a terminal shows at the end. It knows only the two escape sequences of
/// Progress.
std::vector<std::string> on_terminal(const std::string& text) {
  std::vector<std::string> lines(1);
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (text[index] == '\n') {
      lines.emplace_back();
    } else if (text[index] == '\x1b') {
      const std::size_t end = text.find_first_of("AJ", index);
      if (text[end] == 'A')
        lines.resize(lines.size() - std::stoul(text.substr(index + 2, end - index - 2)));
      lines.back().clear();
      index = end;
    } else {
      lines.back() += text[index];
    }
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("without a terminal each finished run has a line") {
  const std::string text = progress_of({}, false);
  CHECK(text.find('\x1b') == std::string::npos);
  check_golden("progress", text);
}

TEST_CASE("on a terminal the region is erased at the end") {
  check_golden("progress_terminal", joined(on_terminal(progress_of({}, true))));
}

TEST_CASE("the region shows each run, its time, and what it waits for") {
  std::ostringstream out;
  Progress progress(out, {}, true, {.total = 16});
  progress.started(1, "power-off", "IPv4, fast", milliseconds(0));
  progress.waits(1, "kang: read fails with ETIMEDOUT");
  progress.tick(milliseconds(2500));
  const std::string shown = joined(on_terminal(out.str()));
  CHECK(shown ==
        "· power-off                    IPv4, fast      2.5 s  kang: read fails with ETIMEDOUT\n"
        "0 of 16 done, 2.5 s\n\n");
}

TEST_CASE("the region never exceeds the window") {
  std::ostringstream out;
  Progress progress(out, {.width = 60}, true, {.total = 100});
  for (int run = 0; run < 40; ++run) {
    progress.started(run, "a-scenario-with-quite-a-long-name-indeed", "IPv6, stock", {});
    progress.waits(run, std::string(200, 'x'));
  }
  progress.tick(milliseconds(10));
  const std::vector<std::string> lines = on_terminal(out.str());
  CHECK(lines.size() == 12);
  for (const std::string& line : lines) CHECK(line.size() < 70);  // an ellipsis has 3 bytes
}

TEST_CASE("the last line has the counts") {
  Counts counts;
  for (int run = 0; run < 16; ++run) counts.count({.outcome = capture::Outcome::passed});
  CHECK(summary_text(counts, milliseconds(8100)) == "16 passed, 0 failed, 0 skipped in 8.1 s");
  counts.count({.outcome = capture::Outcome::broken});
  CHECK(summary_text(counts, milliseconds(8100)) ==
        "16 passed, 0 failed, 0 skipped, 1 broken in 8.1 s");
  counts.count({.outcome = capture::Outcome::bad_script});
  counts.not_run = 3;
  CHECK(summary_text(counts, milliseconds(8100)) ==
        "16 passed, 0 failed, 0 skipped, 1 bad script, 1 broken, 3 not run in 8.1 s");
}

TEST_CASE("a long time has a space before it") {
  std::ostringstream out;
  RunResult result = sample_results().at(0);
  result.variant = "IPv4, stock, Linux 6.1.176";
  result.duration = std::chrono::seconds(152);
  Progress progress(out, {}, false, {.total = 1, .variant_width = int(result.variant.size())});
  progress.started(1, result.name, result.variant, milliseconds(0));
  progress.finished(1, result, milliseconds(1));
  CHECK_THAT(out.str(), Catch::Matchers::Contains("Linux 6.1.176 2 min 32 s"));
}

TEST_CASE("a finding is reported, also for a run that passed") {
  std::ostringstream out;
  RunResult result = sample_results().at(0);
  result.findings = {"kang: LAST_ACK to ESTABLISHED"};
  Progress progress(out, {}, false, {.total = 1});
  progress.started(1, result.name, result.variant, milliseconds(0));
  progress.finished(1, result, milliseconds(1));
  progress.summary(milliseconds(2));
  CHECK(out.str().find("\nfinding: power-cycle: kang: LAST_ACK to ESTABLISHED\n") !=
        std::string::npos);
}

}  // namespace tcplab::reports::tests
