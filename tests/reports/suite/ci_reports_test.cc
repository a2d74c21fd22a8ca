// Checks the reports that CI systems read: TAP, GitHub's annotations, Markdown.
#include <algorithm>

#include "reports/suite/github.hh"
#include "reports/suite/json_summary.hh"
#include "reports/suite/junit.hh"
#include "reports/suite/markdown.hh"
#include "reports/suite/tap.hh"
#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_results.hh"

namespace tcplab::reports::tests {

namespace {

SuiteRecord stopped_suite() {
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

TEST_CASE("a suite is written as TAP") {
  check_golden("tap", tap(stopped_suite()));
  CHECK(tap({}) == "TAP version 13\n1..0 # SKIP no runs\n");
}

TEST_CASE("TAP directives in text are escaped") {
  RunResult result{.name = "a # TODO", .variant = "IPv4"};
  result.outcome = capture::Outcome::failed;
  result.reason = "it's\nbroken";
  result.failure_text = "first\n\nnot ok 7\x1b\n";
  const std::string text = tap({.results = {result}});
  CHECK(text.find("not ok 1 - a \\# TODO (IPv4)\n") != std::string::npos);
  CHECK(text.find("  message: 'it''s\\nbroken'\n") != std::string::npos);
  CHECK(text.find("      first\n      \n      not ok 7\\x1b\n  ...\n") != std::string::npos);
}

TEST_CASE("a suite is written as GitHub's annotations") {
  check_golden("github", github_annotations(stopped_suite(), ""));
}

TEST_CASE("an annotation names the failed line, with a path in the repository") {
  CHECK(annotations_of(failure("/work/project/scenarios/reset.lua", 12)) ==
        "::error file=scenarios/reset.lua,line=12,title=reset (IPv4%2C fast)::one line\n");
  CHECK(annotations_of(failure("scenarios/reset.lua", 12), "") ==
        "::error file=scenarios/reset.lua,line=12,title=reset (IPv4%2C fast)::one line\n");
  CHECK(annotations_of(failure("/elsewhere/reset.lua", 3)) ==
        "::error file=/elsewhere/reset.lua,line=3,title=reset (IPv4%2C fast)::one line\n");
}

TEST_CASE("characters that end a workflow command are escaped") {
  RunResult result = failure("a,b:c%.lua", 1);
  result.failure_text = "100%\r\nnext ::error::";
  CHECK(annotations_of(result, "") ==
        "::error file=a%2Cb%3Ac%25.lua,line=1,title=reset (IPv4%2C "
        "fast)::100%25\\r%0Anext ::error::\n");
}

TEST_CASE("a bad script is annotated at the line of its message") {
  RunResult result{.name = "bad", .variant = "IPv4"};
  result.outcome = capture::Outcome::bad_script;
  result.file = "scenarios/bad.lua";
  result.reason = "scenarios/bad.lua:7: there is no state \"OPEN\"";
  CHECK(annotations_of(result, "") ==
        "::error file=scenarios/bad.lua,line=7,title=bad (IPv4)::scenarios/bad.lua:7: there is no "
        "state \"OPEN\"\n");
  result.reason = "it has run for too long";
  CHECK(annotations_of(result, "") ==
        "::error file=scenarios/bad.lua,title=bad (IPv4)::it has run for too long\n");
}

TEST_CASE("passed and skipped runs are not annotated") {
  RunResult result{.name = "good", .variant = "IPv4"};
  CHECK(annotations_of(result).empty());
  result.outcome = capture::Outcome::skipped;
  CHECK(annotations_of(result).empty());
}

TEST_CASE("a suite is written as Markdown") {
  SuiteRecord suite = stopped_suite();
  suite.shard = Shard{2, 4};
  suite.results[1].verdicts.front().seen = "write(3) = 21";
  suite.results[2].duration = std::chrono::milliseconds(2500);
  suite.results.front().findings = {"kang: CLOSED -> FIN_WAIT2"};
  check_golden("markdown", markdown_summary(suite));
  CHECK(markdown_summary({}).find("0 passed") != std::string::npos);
}

TEST_CASE("text from outside is escaped in Markdown") {
  RunResult result{.name = "a|b", .variant = "<script>alert(1)</script>"};
  result.outcome = capture::Outcome::failed;
  result.reason = "`code` [link](http://x) @somebody\n\n# head | <img src=x>";
  result.failure_text = "</pre></details><b>\n@somebody \x1b[31m";
  result.findings = {"![picture](x)"};
  const std::string text = markdown_summary({.results = {result}});
  CHECK(text.find("| a\\|b (&lt;script&gt;alert\\(1\\)&lt;/script&gt;) | failed | "
                  "\\`code\\` \\[link\\]\\(http://x\\) &#64;somebody\\\\n\\\\n\\# head \\| "
                  "&lt;img src=x&gt; |\n") != std::string::npos);
  CHECK(
      text.find("<pre>\n&lt;/pre&gt;&lt;/details&gt;&lt;b&gt;\n&#64;somebody \\x1b[31m\n</pre>") !=
      std::string::npos);
  CHECK(text.find("<script") == std::string::npos);
  CHECK(text.find("<img") == std::string::npos);
  CHECK(text.find("- a\\|b") != std::string::npos);
  CHECK(text.find("\\!\\[picture\\]\\(x\\)") != std::string::npos);
}

TEST_CASE("Markdown has the command that repeats a failure") {
  const auto command_in = [](const RunResult& result) {
    const std::string text = markdown_summary({.results = {result}});
    const auto begin = text.find("tcplab run");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  RunResult result{.name = "power-cycle", .variant = "IPv6, stock"};
  result.id = "puzzlers/power-cycle IPv6 1";
  result.file = "/opt/tcplab/scenarios/puzzlers/power-cycle.lua";
  result.outcome = capture::Outcome::failed;
  CHECK(command_in(result) == "tcplab run --live power-cycle --family 6 --timers stock");
  result.file = "it's mine/power-cycle.lua";
  result.variant = "IPv4, fast";
  CHECK(command_in(result) == "tcplab run --live 'it'\\''s mine/power-cycle.lua'");
}

TEST_CASE("a page of many failures stays below GitHub's limit") {
  SuiteRecord suite;
  RunResult result{.name = "broken", .variant = "IPv4"};
  result.outcome = capture::Outcome::broken;
  result.reason = std::string(500, 'x');
  result.failure_text = std::string(100'000, 'x');
  suite.results.assign(5000, result);
  CHECK(markdown_summary(suite).size() < (std::size_t{1} << 20));
}

TEST_CASE("no document has characters that a terminal obeys") {
  const std::string evil =
      "\x1b]0;gotcha\a\xc2\x9b"
      "2J\xe2\x80\xae\n::error::";
  RunResult result{.name = evil, .variant = evil, .id = evil, .title = evil, .file = evil};
  result.outcome = capture::Outcome::failed;
  result.reason = result.failure_text = result.directory = result.kernel = evil;
  result.findings = {evil};
  const SuiteRecord suite{.results = {result}, .not_run = {result}, .hostname = evil};
  const std::string annotations = github_annotations(suite, "");
  CHECK(std::count(annotations.begin(), annotations.end(), '\n') == 1);
  for (const std::string& text : {github_annotations(suite, ""), junit_xml(suite), tap(suite),
                                  markdown_summary(suite), json_summary(suite)}) {
    INFO(text);
    for (const char* bad : {"\x1b", "\a", "\xc2\x9b", "\xe2\x80\xae"})
      CHECK(text.find(bad) == std::string::npos);
  }
}

}  // namespace tcplab::reports::tests
