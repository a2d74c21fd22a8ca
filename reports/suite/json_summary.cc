#include "reports/suite/json_summary.hh"

#include <nlohmann/json.hpp>

#include "capture/event/event_words.hh"

namespace tcplab::reports {

namespace {

using OrderedJson = nlohmann::ordered_json;

void add(OrderedJson& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

OrderedJson json_of(const capture::Verdict& verdict) {
  OrderedJson object{
      {"passed", verdict.passed}, {"expected", verdict.expected}, {"seen", verdict.seen}};
  add(object, "nearest", verdict.nearest);
  add(object, "host", verdict.host);
  add(object, "script", verdict.script);
  if (verdict.line != 0) object["line"] = verdict.line;
  add(object, "code", verdict.code);
  return object;
}

OrderedJson json_of(const capture::Unchecked& unchecked) {
  OrderedJson object{{"since", unchecked.since}, {"expected", unchecked.expected}};
  add(object, "host", unchecked.host);
  add(object, "script", unchecked.script);
  if (unchecked.line != 0) object["line"] = unchecked.line;
  add(object, "code", unchecked.code);
  return object;
}

/// Writes the fields that runs which did not start have too.
OrderedJson names_of(const RunResult& result) {
  OrderedJson object{{"name", result.name}};
  add(object, "variant", result.variant);
  object["id"] = result.id;
  add(object, "title", result.title);
  add(object, "file", result.file);
  return object;
}

OrderedJson json_left_out(const RunResult& result) {
  OrderedJson object = names_of(result);
  add(object, "reason", result.reason);
  add(object, "directory", result.directory);
  return object;
}

OrderedJson json_of(const RunResult& result) {
  OrderedJson object = names_of(result);
  object["outcome"] = capture::word(result.outcome);
  add(object, "reason", result.reason);
  object["seconds"] = base::in_seconds(result.duration);
  object["verdicts"] = OrderedJson::array();
  for (const capture::Verdict& verdict : result.verdicts)
    object["verdicts"].push_back(json_of(verdict));
  for (const capture::Unchecked& each : result.unchecked)
    object["unchecked"].push_back(json_of(each));
  add(object, "failure", result.failure_text);
  add(object, "directory", result.directory);
  add(object, "kernel", result.kernel);
  if (!result.findings.empty()) object["findings"] = result.findings;
  add(object, "stalled", result.stalled);
  return object;
}

std::string written(const OrderedJson& json, int indent) {
  // ASCII only: a terminal may show it, and obeys some other characters.
  return json.dump(indent, ' ', true, OrderedJson::error_handler_t::replace);
}

}  // namespace

std::string json_result(const RunResult& result) { return written(json_of(result), -1); }

std::string json_summary(const SuiteRecord& suite) {
  const Counts counts = count_outcomes(suite.results);
  OrderedJson document{{"format", "tcplab-results"},
                       {"version", 1},
                       {"passed", counts.passed},
                       {"failed", counts.failed},
                       {"skipped", counts.skipped},
                       {"bad_script", counts.bad_script},
                       {"broken", counts.broken},
                       {"not_run", suite.not_run.size()},
                       {"seconds", base::in_seconds(suite.wall)},
                       {"planned", suite.planned},
                       {"plan", suite.plan}};
  add(document, "started", suite.started);
  add(document, "hostname", suite.hostname);
  if (suite.shard)
    document["shard"] = {{"index", suite.shard->index}, {"count", suite.shard->count}};
  if (suite.seed) document["seed"] = *suite.seed;
  if (suite.perturbation) document["perturbation"] = *suite.perturbation;
  document["results"] = OrderedJson::array();
  for (const RunResult& result : suite.results) document["results"].push_back(json_of(result));
  document["left_out"] = OrderedJson::array();
  for (const RunResult& result : suite.not_run)
    document["left_out"].push_back(json_left_out(result));
  return written(document, 2) + "\n";
}

}  // namespace tcplab::reports
