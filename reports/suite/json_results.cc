#include "reports/suite/json_results.hh"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hh"
#include "capture/event/event_words.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::json;

constexpr double kLongest = 1e9;  // seconds; no suite runs longer

std::string text(const Json& object, const char* key) { return object.value(key, std::string()); }

capture::nanoseconds seconds(const Json& object) {
  const double value = object.at("seconds");
  if (!std::isfinite(value) || value < 0 || value > kLongest)
    throw base::UsageError("\"seconds\" is not a duration");
  return base::from_seconds(value);
}

capture::Verdict verdict_of(const Json& object) {
  capture::Verdict verdict;
  verdict.passed = object.at("passed");
  verdict.expected = object.at("expected");
  verdict.seen = object.at("seen");
  verdict.nearest = text(object, "nearest");
  verdict.host = text(object, "host");
  verdict.script = text(object, "script");
  verdict.line = object.value("line", 0);
  verdict.code = text(object, "code");
  return verdict;
}

capture::Unchecked unchecked_of(const Json& object) {
  return {.since = object.at("since"),
          .expected = object.at("expected"),
          .host = text(object, "host"),
          .script = text(object, "script"),
          .line = object.value("line", 0),
          .code = text(object, "code")};
}

/// Reads the fields that runs which did not start have too.
RunResult named(const Json& object) {
  RunResult result;
  result.name = object.at("name");
  result.id = object.at("id");
  result.variant = text(object, "variant");
  result.title = text(object, "title");
  result.file = text(object, "file");
  result.reason = text(object, "reason");
  result.directory = text(object, "directory");
  return result;
}

RunResult result_of(const Json& object) {
  RunResult result = named(object);
  const std::string word = object.at("outcome");
  const auto outcome = capture::from_word<capture::Outcome>(word);
  if (!outcome) throw base::UsageError("unknown outcome \"" + word + "\"");
  result.outcome = *outcome;
  result.duration = seconds(object);
  for (const Json& verdict : object.at("verdicts")) result.verdicts.push_back(verdict_of(verdict));
  for (const Json& each : object.value("unchecked", Json::array()))
    result.unchecked.push_back(unchecked_of(each));
  result.findings = object.value("findings", std::vector<std::string>());
  result.failure_text = text(object, "failure");
  result.kernel = text(object, "kernel");
  result.stalled = text(object, "stalled");
  return result;
}

Shard shard_of(const Json& object) {
  const Shard shard{.index = object.at("index"), .count = object.at("count")};
  if (shard.index < 1 || shard.index > shard.count)
    throw base::UsageError("\"shard\" is not one of its count");
  return shard;
}

SuiteRecord record_of(const Json& document) {
  if (text(document, "format") != "tcplab-results")
    throw base::UsageError("\"format\" is not \"tcplab-results\"");
  if (document.at("version") != 1) throw base::UsageError("\"version\" is not 1");
  SuiteRecord suite;
  for (const Json& result : document.at("results")) suite.results.push_back(result_of(result));
  for (const Json& result : document.at("left_out")) suite.not_run.push_back(named(result));
  suite.wall = seconds(document);
  suite.started = text(document, "started");
  suite.hostname = text(document, "hostname");
  if (document.contains("shard")) suite.shard = shard_of(document.at("shard"));
  if (document.contains("seed")) suite.seed = document.at("seed").get<std::uint64_t>();
  if (document.contains("perturbation"))
    suite.perturbation = document.at("perturbation").get<std::uint64_t>();
  suite.planned = document.at("planned");
  suite.plan = document.at("plan");
  return suite;
}

/// nlohmann's messages begin with "[json.exception.out_of_range.403] ".
std::string without_tag(const std::string& message) {
  const auto end = message.find("] ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

}  // namespace

SuiteRecord parse_results(const std::string& text, const std::string& file) {
  const std::string about = file + ": not a complete results file of tcplab run --results: ";
  try {
    return record_of(Json::parse(text));
  } catch (const Json::parse_error& error) {
    throw base::UsageError(
        fmt::format("{}invalid JSON at byte {} of {}", about, error.byte, text.size()));
  } catch (const Json::exception& error) {
    throw base::UsageError(about + without_tag(error.what()));
  } catch (const base::UsageError& error) {
    throw base::UsageError(about + error.what());
  }
}

}  // namespace tcplab::reports
