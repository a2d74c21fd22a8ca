// Checks the table of requirements and TCP stacks: what a run proves, and how the views show it.
#include "reports/conform/conformance.hh"

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hh"
#include "reports/conform/conform_views.hh"
#include "reports/suite/junit.hh"
#include "tests/catch.hh"

using namespace tcplab::reports;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using tcplab::capture::Outcome;
using tcplab::capture::Verdict;

namespace {

Verdict judged(bool passed, bool judges) {
  return {.passed = passed, .expected = "an ACK", .seen = "a RST", .judges_requirement = judges};
}

RunResult result_of(Outcome outcome, std::vector<Verdict> verdicts) {
  return {.outcome = outcome,
          .reason = outcome == Outcome::passed ? "" : "the reason",
          .verdicts = std::move(verdicts),
          .directory = "out"};
}

Conformity verdict_of(const RunResult& result) { return conform_run(result, "IPv4").verdict; }

ConformCell cell(std::vector<Conformity> verdicts) {
  ConformCell cell;
  for (const Conformity verdict : verdicts)
    cell.runs.push_back({.family = cell.runs.empty() ? "IPv4" : "IPv6",
                         .verdict = verdict,
                         .reason = verdict == Conformity::met ? "" : "why|not",
                         .directory = cell.runs.empty() ? "out/4" : "out/6"});
  return cell;
}

ConformRow row(const std::string& id, RequirementLevel level, std::vector<ConformCell> cells) {
  return {.requirement = {.id = id, .level = level, .rfc = "RFC 1", .says = "be <good>"},
          .scenario = id + "-scenario",
          .cells = std::move(cells)};
}

constexpr auto kMet = Conformity::met;
constexpr auto kNotMet = Conformity::not_met;
constexpr auto kNotSeen = Conformity::not_seen;
constexpr auto kDoesNotArise = Conformity::does_not_arise;

Conformance sample() {
  return {.stacks = {"lwip", "linux"},
          .rows = {row("MUST-1", RequirementLevel::must, {cell({kMet, kMet}), cell({kMet, kMet})}),
                   row("MUST-2", RequirementLevel::must, {cell({kMet, kNotMet}), cell({kMet})}),
                   row("SHLD-1", RequirementLevel::should, {cell({kNotMet}), cell({kNotSeen})}),
                   row("MAY-1", RequirementLevel::may, {cell({kDoesNotArise}), cell({})})}};
}

}  // namespace

TEST_CASE("only the requirement's own check makes a verdict of met or not met") {
  CHECK(verdict_of(result_of(Outcome::passed, {judged(true, false), judged(true, true)})) == kMet);
  CHECK(verdict_of(result_of(Outcome::failed, {judged(true, true), judged(false, true)})) ==
        kNotMet);
  // The nearest cases: a run that passes without judging, and one that fails on its way.
  CHECK(verdict_of(result_of(Outcome::passed, {judged(true, false)})) == kNotSeen);
  CHECK(verdict_of(result_of(Outcome::failed, {judged(false, false)})) == kNotSeen);
  CHECK(verdict_of(result_of(Outcome::failed, {judged(true, true), judged(false, false)})) ==
        kNotSeen);
  CHECK(verdict_of(result_of(Outcome::broken, {judged(true, true)})) == kNotSeen);
  CHECK(verdict_of(result_of(Outcome::bad_script, {judged(true, true)})) == kNotSeen);
}

TEST_CASE("a requirement does not arise only if the script says so") {
  RunResult skipped = result_of(Outcome::skipped, {});
  CHECK(verdict_of(skipped) == kNotSeen);
  CHECK(conform_run(skipped, "IPv4").reason == "the reason");
  skipped.requirement_does_not_arise = true;
  CHECK(verdict_of(skipped) == kDoesNotArise);
}

TEST_CASE("the reason of a requirement that is not met is what its check saw") {
  const ConformRun run = conform_run(result_of(Outcome::failed, {judged(false, true)}), "IPv6");
  CHECK(run.reason == "an ACK; a RST");
  CHECK(run.family == "IPv6");
  CHECK(conform_run(result_of(Outcome::passed, {}), "").reason ==
        "its script ended without lab:require");
}

TEST_CASE("a cell has the worst verdict of its runs") {
  CHECK(cell({kMet, kNotMet}).verdict() == kNotMet);
  CHECK(cell({kNotSeen, kNotMet}).verdict() == kNotMet);
  CHECK(cell({kMet, kNotSeen}).verdict() == kNotSeen);
  CHECK(cell({kDoesNotArise, kMet}).verdict() == kMet);
  CHECK(cell({kDoesNotArise}).verdict() == kDoesNotArise);
  CHECK(cell({}).verdict() == kNotSeen);
  CHECK(cell({kMet, kMet}).text() == "met");
  CHECK(cell({kMet, kNotMet}).text() == "IPv4 met; IPv6 not met: why|not");
}

TEST_CASE("a stack is worse only if it does not meet what the other one meets") {
  CHECK(row("A", RequirementLevel::may, {cell({kNotMet}), cell({kMet})}).is_worse());
  CHECK(row("A", RequirementLevel::may, {cell({kDoesNotArise}), cell({kMet})}).is_worse());
  CHECK_FALSE(row("A", RequirementLevel::may, {cell({kDoesNotArise}), cell({kNotMet})}).is_worse());
  CHECK_FALSE(row("A", RequirementLevel::may, {cell({kNotSeen}), cell({kMet})}).is_worse());
  CHECK_FALSE(row("A", RequirementLevel::may, {cell({kNotMet}), cell({kNotSeen})}).is_worse());
  CHECK_FALSE(row("A", RequirementLevel::may, {cell({kNotMet})}).is_worse());
  CHECK(row("A", RequirementLevel::may, {cell({kNotMet}), cell({kNotSeen})}).differs());
}

TEST_CASE("totals count each requirement once, and a MUST by itself") {
  CHECK(conform_totals(sample(), 0) ==
        "lwip: 1 met, 2 not met (1 of them MUST), 1 does not arise, 0 not seen");
  CHECK(conform_totals(sample(), 1) == "linux: 2 met, 0 not met, 0 does not arise, 2 not seen");
  CHECK(difference_totals(sample()) ==
        "3 verdicts differ; of these requirements, linux meets 1 that lwip does not meet");
  Conformance one = sample();
  one.rows.resize(2);
  CHECK_THAT(difference_totals(one), StartsWith("1 verdict differs; "));
}

TEST_CASE("the terminal has a line for each requirement, and the reasons below") {
  std::ostringstream out;
  write_text(out, sample(), {.width = 100});
  CHECK_THAT(out.str(), Contains("MUST\n✓✓   MUST-1  be <good>\n✗✓ ≠ MUST-2  be <good>\n"
                                 "      lwip   ✗ IPv4 met; IPv6 not met: why|not\n"
                                 "      linux  ✓ met\n"));
  CHECK_THAT(out.str(), Contains("\nSHOULD\n"));
}

TEST_CASE("Markdown and the page escape what comes from outside") {
  std::ostringstream markdown;
  write_markdown(markdown, sample());
  CHECK_THAT(markdown.str(), Contains("| SHLD-1 | SHOULD |"));
  CHECK_THAT(markdown.str(), Contains("| requirement | level | | lwip | linux |"));
  CHECK_THAT(markdown.str(), !Contains("why|not") && !Contains("<good>"));
  Conformance table = sample();
  table.rows[0].cells[0].runs[0].page = "./lwip/a-ipv4.html";
  std::ostringstream page;
  write_html(page, table);
  CHECK_THAT(page.str(), Contains("<a href=\"./lwip/a-ipv4.html\">IPv4: met</a>"));
  CHECK_THAT(page.str(), !Contains("<good>"));
}

TEST_CASE("a table of JSON is read back as a column") {
  const SavedColumn column = column_of_json(conform_json(sample()), "a.json");
  CHECK(column.stack == "lwip");
  CHECK(column.file == "a.json");
  REQUIRE(column.cells.size() == 4);
  CHECK(column.cells[1].first == "MUST-2-scenario");
  CHECK(column.cells[1].second.text() == sample().rows[1].cells[0].text());
}

TEST_CASE("a file that is no table is refused") {
  for (const std::string text :
       {"", "[]", "{\"stacks\": []}", "{\"stacks\": [\"a\"], \"requirements\": [{}]}",
        "{\"stacks\": [\"a\"], \"requirements\": [{\"scenario\": \"s\", \"verdicts\": [{\"runs\": "
        "[{\"family\": \"IPv4\", \"verdict\": \"great\"}]}]}]}"})
    CHECK_THROWS_WITH(column_of_json(text, "a.json"),
                      Contains("a.json: not a table of tcplab conform"));
}

TEST_CASE("in JUnit, only a MUST that is not met fails") {
  SuiteRecord suite;
  suite.results = {result_of(Outcome::failed, {}), result_of(Outcome::failed, {})};
  suite.results[0].directory = "out/must";
  suite.results[1].directory = "out/should";
  Conformance table{.stacks = {"a"},
                    .rows = {row("MUST-1", RequirementLevel::must, {cell({kNotMet})}),
                             row("SHLD-1", RequirementLevel::should, {cell({kNotMet})})}};
  table.rows[0].cells[0].runs[0].directory = "out/must";
  table.rows[1].cells[0].runs[0].directory = "out/should";
  const SuiteRecord judged = conform_suite(table, suite);
  CHECK(judged.results[0].outcome == Outcome::failed);
  CHECK(judged.results[0].name == "MUST-1");
  CHECK(judged.results[1].outcome == Outcome::skipped);
  CHECK(judged.results[1].reason == "SHOULD, not met: why|not");
  CHECK_THAT(junit_xml(judged), Contains("failures=\"1\""));
  table.rows[0].cells[0].runs[0].verdict = kNotSeen;
  CHECK(conform_suite(table, suite).results[0].outcome == Outcome::broken);
}
