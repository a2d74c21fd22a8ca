#include "reports/suite/json_summary.hh"

#include <nlohmann/json.hpp>

#include "capture/event/event_words.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const capture::Verdict& verdict) {
  OrderedJson object{
      {"passed", verdict.passed}, {"expected", verdict.expected}, {"seen", verdict.seen}};
  add_text(object, "nearest", verdict.nearest);
  add_text(object, "host", verdict.host);
  add_text(object, "script", verdict.script);
  if (verdict.line != 0) object["line"] = verdict.line;
  add_text(object, "code", verdict.code);
  return object;
}

OrderedJson json_of(const capture::Unchecked& unchecked) {
  OrderedJson object{{"since", unchecked.since}, {"expected", unchecked.expected}};
  add_text(object, "host", unchecked.host);
  add_text(object, "script", unchecked.script);
  if (unchecked.line != 0) object["line"] = unchecked.line;
  add_text(object, "code", unchecked.code);
  return object;
}

/// Writes the fields that runs which did not start have too.
OrderedJson names_of(const RunResult& result) {
  OrderedJson object{{"name", result.name}};
  add_text(object, "variant", result.variant);
  object["id"] = result.id;
  add_text(object, "title", result.title);
  add_text(object, "file", result.file);
  return object;
}

OrderedJson json_left_out(const RunResult& result) {
  OrderedJson object = names_of(result);
  add_text(object, "reason", result.reason);
  add_text(object, "directory", result.directory);
  return object;
}

OrderedJson json_of(const RunResult& result) {
  OrderedJson object = names_of(result);
  object["outcome"] = capture::word(result.outcome);
  add_text(object, "reason", result.reason);
  object["seconds"] = base::in_seconds(result.duration);
  object["verdicts"] = OrderedJson::array();
  for (const capture::Verdict& verdict : result.verdicts)
    object["verdicts"].push_back(json_of(verdict));
  for (const capture::Unchecked& each : result.unchecked)
    object["unchecked"].push_back(json_of(each));
  add_text(object, "failure", result.failure_text);
  add_text(object, "directory", result.directory);
  add_text(object, "kernel", result.kernel);
  if (!result.findings.empty()) object["findings"] = result.findings;
  add_text(object, "stalled", result.stalled);
  return object;
}

}  // namespace

std::string json_result(const RunResult& result) { return json_line(json_of(result)); }

std::string json_summary(const SuiteRecord& suite) {
  const Counts counts = count_outcomes(suite.results);
  OrderedJson document = json_document("tcplab-results");
  document.update({{"passed", counts.passed},
                   {"failed", counts.failed},
                   {"skipped", counts.skipped},
                   {"bad_script", counts.bad_script},
                   {"broken", counts.broken},
                   {"not_run", suite.not_run.size()},
                   {"seconds", base::in_seconds(suite.wall)},
                   {"planned", suite.planned},
                   {"plan", suite.plan}});
  add_text(document, "started", suite.started);
  add_text(document, "hostname", suite.hostname);
  if (suite.shard)
    document["shard"] = {{"index", suite.shard->index}, {"count", suite.shard->count}};
  if (suite.seed) document["seed"] = *suite.seed;
  if (suite.perturbation) document["perturbation"] = *suite.perturbation;
  document["results"] = OrderedJson::array();
  for (const RunResult& result : suite.results) document["results"].push_back(json_of(result));
  document["left_out"] = OrderedJson::array();
  for (const RunResult& result : suite.not_run)
    document["left_out"].push_back(json_left_out(result));
  return json_text(document);
}

}  // namespace tcplab::reports
