// TAP and GitHub's annotations: what CI systems read of a suite.
#include "reports/github.hh"
#include "reports/tap.hh"
#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_results.hh"

namespace tcplab::reports::tests {

namespace {

SuiteRecord sample() {
  SuiteRecord suite{.results = sample_results(), .seed = 7};
  suite.not_run = {RunResult{.name = "late", .variant = "IPv6, fast"}};
  suite.not_run.front().reason = "not started: after 1 failure";
  return suite;
}

std::string annotations_of(const RunResult& result, const std::string& root = "/work/project") {
  return github_annotations({.results = {result}}, root);
}

RunResult failure(const std::string& script, int line) {
  RunResult result{.name = "reset", .variant = "IPv4, fast"};
  result.outcome = capture::Outcome::failed;
  result.reason = "one line";
  capture::Verdict met;
  met.passed = true;
  met.line = 1;
  capture::Verdict missed;
  missed.script = script;
  missed.line = line;
  result.verdicts = {met, missed};
  return result;
}

}  // namespace

TEST_CASE("a suite as TAP") {
  check_golden("tap", tap(sample()));
  CHECK(tap({}) == "TAP version 13\n1..0 # SKIP no runs\n");
}

TEST_CASE("what TAP would take for its own is escaped") {
  RunResult result{.name = "a # TODO", .variant = "IPv4"};
  result.outcome = capture::Outcome::failed;
  result.reason = "it's\nbroken";
  result.failure_text = "first\n\nnot ok 7\x1b\n";
  const std::string text = tap({.results = {result}});
  CHECK(text.find("not ok 1 - a \\# TODO (IPv4)\n") != std::string::npos);
  CHECK(text.find("  message: 'it''s\\nbroken'\n") != std::string::npos);
  CHECK(text.find("      first\n      \n      not ok 7\\x1b\n  ...\n") != std::string::npos);
}

TEST_CASE("a suite as GitHub's annotations") {
  check_golden("github", github_annotations(sample(), ""));
}

TEST_CASE("an annotation is at the line that failed, in a file that GitHub knows") {
  CHECK(annotations_of(failure("/work/project/scenarios/reset.lua", 12)) ==
        "::error file=scenarios/reset.lua,line=12,title=reset (IPv4%2C fast)::one line\n");
  CHECK(annotations_of(failure("scenarios/reset.lua", 12), "") ==
        "::error file=scenarios/reset.lua,line=12,title=reset (IPv4%2C fast)::one line\n");
  CHECK(annotations_of(failure("/elsewhere/reset.lua", 3)) ==
        "::error file=/elsewhere/reset.lua,line=3,title=reset (IPv4%2C fast)::one line\n");
}

TEST_CASE("what would end a workflow command is escaped") {
  RunResult result = failure("a,b:c%.lua", 1);
  result.failure_text = "100%\r\nnext ::error::";
  CHECK(annotations_of(result, "") ==
        "::error file=a%2Cb%3Ac%25.lua,line=1,title=reset (IPv4%2C "
        "fast)::100%25%0D%0Anext ::error::\n");
}

TEST_CASE("a script that is wrong is annotated where it says") {
  RunResult result{.name = "bad", .variant = "IPv4"};
  result.outcome = capture::Outcome::broken;
  result.bad_script = true;
  result.file = "scenarios/bad.lua";
  result.reason = "scenarios/bad.lua:7: there is no state \"OPEN\"";
  CHECK(annotations_of(result, "") ==
        "::error file=scenarios/bad.lua,line=7,title=bad (IPv4)::scenarios/bad.lua:7: there is no "
        "state \"OPEN\"\n");
  result.reason = "it has run for too long";
  CHECK(annotations_of(result, "") ==
        "::error file=scenarios/bad.lua,title=bad (IPv4)::it has run for too long\n");
}

TEST_CASE("what passed and what was skipped is not annotated") {
  RunResult result{.name = "good", .variant = "IPv4"};
  CHECK(annotations_of(result).empty());
  result.outcome = capture::Outcome::skipped;
  CHECK(annotations_of(result).empty());
}

}  // namespace tcplab::reports::tests
