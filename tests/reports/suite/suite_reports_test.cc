// Checks JUnit, JSON and the story: what a suite writes for machines, and prints at its end.
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/story/story.hh"
#include "reports/suite/json_summary.hh"
#include "reports/suite/junit.hh"
#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_results.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

std::string story_of(const SampleRun& run, const Style& style) {
  std::ostringstream out;
  Story story(out, style);
  for (const Event& event : run.events()) story.event(event);
  story.finish();
  return out.str();
}

}  // namespace

TEST_CASE("a suite is written as JUnit XML") {
  check_golden("junit", junit_xml({.results = sample_results(),
                                   .wall = std::chrono::milliseconds(8100),
                                   .started = "2026-11-22T06:30:21Z",
                                   .hostname = "springfield"}));
  check_golden("junit_empty", junit_xml({}));
}

TEST_CASE("characters that XML forbids are escaped") {
  RunResult result;
  result.name = "a<b>&\"c\"";
  result.outcome = capture::Outcome::failed;
  result.reason = "two\nlines";
  result.failure_text = std::string("\x1b[31m ]]> \xff \xef\xbf\xbf", 15) + std::string(1, '\0');
  const std::string xml = junit_xml({.results = {result}});
  CHECK(xml.find("name=\"a&lt;b&gt;&amp;&quot;c&quot;\"") != std::string::npos);
  CHECK(xml.find("message=\"two&#10;lines\"") != std::string::npos);
  CHECK(xml.find("\\x1b[31m ]]&gt; \\xff \\xffff\\x00</failure>") != std::string::npos);
}

TEST_CASE("a suite is written as JSON") {
  const std::string text =
      json_summary({.results = sample_results(), .wall = std::chrono::milliseconds(8100)});
  check_golden("summary_json", text);
  CHECK(nlohmann::json::parse(text)["results"].size() == sample_results().size());
}

TEST_CASE("a result is one line of valid JSON, for any bytes") {
  RunResult result = sample_results().at(1);
  result.failure_text = "bytes \xff\x1b";
  result.findings = {"LAST_ACK to ESTABLISHED"};
  const std::string line = json_result(result);
  CHECK(line.find('\n') == std::string::npos);
  CHECK(nlohmann::json::parse(line)["findings"][0] == "LAST_ACK to ESTABLISHED");
  CHECK(nlohmann::json::parse(line)["failure"] == "bytes \xef\xbf\xbd\x1b");
}

TEST_CASE("the story of a power cycle") {
  check_golden("story", story_of(power_cycle(), {}));
  check_golden("story_of_a_failure", story_of(with_loss(), {.width = 60}));
}

}  // namespace tcplab::reports::tests
