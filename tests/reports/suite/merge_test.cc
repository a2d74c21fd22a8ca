// Checks that the results of shards can be written, read again and merged.
#include "reports/suite/merge.hh"

#include "base/error.hh"
#include "reports/suite/json_results.hh"
#include "reports/suite/json_summary.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_results.hh"

namespace tcplab::reports::tests {

namespace {

using Catch::Matchers::Contains;

RunResult run(const std::string& name, const std::string& variant = "IPv4, fast") {
  RunResult result{.name = name, .variant = variant};
  result.id = "topic/" + name + " " + variant;
  return result;
}

/// Returns shard `index` of `count`, of a suite of six runs.
Part part(int index, int count, std::vector<RunResult> results) {
  SuiteRecord record{.results = std::move(results), .shard = Shard{index, count}};
  record.wall = std::chrono::seconds(index);
  record.planned = 6;
  record.plan = "0123";
  return {"part-" + std::to_string(index) + ".json", std::move(record)};
}

std::vector<Part> whole() {
  return {part(1, 3, {run("c"), run("a")}), part(2, 3, {run("b", "IPv6, fast"), run("d")}),
          part(3, 3, {run("b"), run("e")})};
}

std::string complaint_of(const std::vector<Part>& parts) {
  try {
    merge(parts);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

std::string complaint_of_text(const std::string& text) {
  try {
    parse_results(text, "part.json");
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

SuiteRecord second_part() {
  SuiteRecord suite{.results = sample_results(), .shard = Shard{2, 4}};
  suite.results[1].failure_text = "a line\nand \xe2\x9c\x97 another";
  suite.results[0].findings = {"kang: LISTEN -> TIME_WAIT"};
  suite.not_run = {run("late")};
  suite.not_run.front().reason = "not started: after 1 failure";
  suite.wall = std::chrono::milliseconds(8100);
  suite.seed = 18446744073709551615U;
  suite.planned = 20;
  suite.plan = "00ff";
  return suite;
}

}  // namespace

TEST_CASE("results are the same after they are written and read") {
  const std::string written = json_summary(second_part());
  const SuiteRecord read = parse_results(written, "part.json");
  CHECK(json_summary(read) == written);
  CHECK(read.shard == Shard{2, 4});
  CHECK(read.seed == 18446744073709551615U);
  CHECK(read.planned == 20);
  CHECK(read.wall == std::chrono::milliseconds(8100));
  REQUIRE(read.results.size() == 5);
  CHECK(read.results[0].findings == std::vector<std::string>{"kang: LISTEN -> TIME_WAIT"});
  CHECK(read.results[1].verdicts.at(0).line == 20);
  CHECK(read.results[3].outcome == capture::Outcome::broken);
  CHECK(read.results[4].outcome == capture::Outcome::bad_script);
  REQUIRE(read.not_run.size() == 1);
  CHECK(read.not_run[0].reason == "not started: after 1 failure");
}

TEST_CASE("an incomplete file is refused with one line") {
  const std::string written = json_summary(second_part());
  // The file without its last line feed is still complete.
  for (std::size_t size = 0; size + 1 < written.size(); size += 7) {
    const std::string said = complaint_of_text(written.substr(0, size));
    REQUIRE_THAT(said, Contains("part.json: not a complete results file"));
    REQUIRE(said.find('\n') == std::string::npos);
  }
}

TEST_CASE("a file that is not a results file is refused with the reason") {
  const std::string head = R"({"format":"tcplab-results","version":1,)";
  CHECK_THAT(complaint_of_text(""), Contains("invalid JSON at byte"));
  CHECK_THAT(complaint_of_text("<testsuites/>"), Contains("invalid JSON at byte 1"));
  CHECK_THAT(complaint_of_text("[]"), Contains("not a complete results file"));
  CHECK_THAT(complaint_of_text("{}"), Contains("\"format\" is not \"tcplab-results\""));
  CHECK_THAT(complaint_of_text(R"({"format":"tcplab-results","version":2})"),
             Contains("\"version\" is not 1"));
  CHECK_THAT(complaint_of_text(head + R"("seconds":1})"), Contains("results"));
  CHECK_THAT(complaint_of_text(head + R"("results":[7]})"),
             Contains("not a complete results file"));
  CHECK_THAT(complaint_of_text(head + R"("results":[{"name":"a","id":"a","outcome":"lucky"}]})"),
             Contains("unknown outcome"));
  CHECK_THAT(complaint_of_text(head + R"("results":[],"left_out":[],"seconds":-1})"),
             Contains("\"seconds\" is not a duration"));
  CHECK_THAT(complaint_of_text(head + R"("results":[],"left_out":[],"seconds":1,"shard":)" +
                               R"({"index":3,"count":2}})"),
             Contains("\"shard\" is not one of its count"));
}

TEST_CASE("shards join into the suite in any order") {
  std::vector<Part> parts = whole();
  std::swap(parts[0], parts[2]);
  const Merged merged = merge(parts);
  CHECK(merged.missing.empty());
  std::vector<std::string> names;
  for (const RunResult& result : merged.record.results)
    names.push_back(result.name + " " + result.variant.substr(0, 4));
  CHECK(names ==
        std::vector<std::string>{"a IPv4", "b IPv4", "b IPv6", "c IPv4", "d IPv4", "e IPv4"});
  CHECK(merged.record.wall == std::chrono::seconds(3));
  CHECK_FALSE(merged.record.shard);
}

TEST_CASE("a missing shard is reported") {
  std::vector<Part> parts = whole();
  parts.erase(parts.begin() + 1);
  const Merged merged = merge(parts);
  REQUIRE(merged.missing.size() == 1);
  CHECK(merged.missing[0] == Shard{2, 3});
  CHECK(merged.record.results.size() == 4);
}

TEST_CASE("runs that did not start belong to their shard") {
  std::vector<Part> parts = whole();
  parts[2].record.not_run = {parts[2].record.results.back()};
  parts[2].record.results.pop_back();
  const Merged merged = merge(parts);
  CHECK(merged.record.results.size() == 5);
  CHECK(merged.record.not_run.size() == 1);
}

TEST_CASE("a file without shards is a whole suite") {
  Part one = part(1, 1, {run("a"), run("b"), run("c"), run("d"), run("e"), run("f")});
  one.record.shard.reset();
  CHECK(merge({one}).missing.empty());
  CHECK_THAT(complaint_of({one, one}),
             Contains("shard 1/1 is in both part-1.json and part-1.json"));
}

TEST_CASE("shards of different suites are refused") {
  std::vector<Part> parts = whole();
  parts.push_back(parts.front());
  CHECK_THAT(complaint_of(parts), Contains("shard 1/3 is in both part-1.json and part-1.json"));

  parts = whole();
  parts[1].record.shard->count = 4;
  CHECK_THAT(complaint_of(parts),
             Contains("part-1.json is shard 1/3, and part-2.json is shard 2/4"));

  parts = whole();
  parts[1].record.plan = "4567";
  CHECK_THAT(complaint_of(parts),
             Contains("part-1.json and part-2.json are from different suites"));

  parts = whole();
  parts[1].record.results.push_back(run("a"));
  CHECK_THAT(complaint_of(parts),
             Contains("the run \"topic/a IPv4, fast\" is in both part-1.json and part-2.json"));

  parts = whole();
  parts[2].record.results.pop_back();
  CHECK_THAT(complaint_of(parts), Contains("the shards have 5 runs, but the suite has 6"));
}

TEST_CASE("the exit status is the worst outcome") {
  using capture::Outcome;
  SuiteRecord suite;
  CHECK(exit_status(suite) == 4);
  const auto add = [&](Outcome outcome) {
    suite.results.push_back(run("a"));
    suite.results.back().outcome = outcome;
    return exit_status(suite);
  };
  CHECK(add(Outcome::skipped) == 4);
  CHECK(add(Outcome::passed) == 0);
  CHECK(add(Outcome::failed) == 1);
  CHECK(add(Outcome::broken) == 3);
  suite.results.back().outcome = Outcome::bad_script;
  CHECK(exit_status(suite) == 2);
  CHECK(add(Outcome::broken) == 3);
}

TEST_CASE("merged results start when the first shard started, and name all machines") {
  std::vector<Part> parts = whole();
  parts[0].record.started = "2026-11-22T06:30:21Z";
  parts[1].record.started = "2026-11-22T06:30:19Z";
  parts[0].record.hostname = parts[1].record.hostname = "springfield";
  parts[2].record.hostname = "shelbyville";
  const SuiteRecord merged = merge(parts).record;
  CHECK(merged.started == "2026-11-22T06:30:19Z");
  CHECK(merged.hostname == "shelbyville, springfield");
  const SuiteRecord read = parse_results(json_summary(parts[0].record), "1.json");
  CHECK(read.started == parts[0].record.started);
  CHECK(read.hostname == "springfield");
}

}  // namespace tcplab::reports::tests
