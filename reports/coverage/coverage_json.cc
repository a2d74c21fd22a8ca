#include <nlohmann/json.hpp>

#include "reports/coverage/coverage_rows.hh"
#include "reports/coverage/coverage_text.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const CoverageRow& row) {
  Json object{{"name", row.name}};
  add_text(object, "detail", row.detail);
  add_text(object, "source", row.source);
  object["seen_by"] = row.seen;
  add_text(object, "cannot_be_seen", row.unseen);
  return object;
}

Json json_of(const CoverageSection& section) {
  Json object{{"kind", section.kind}, {"title", section.title}, {"rows", Json::array()}};
  for (const CoverageRow& row : section.rows) object["rows"].push_back(json_of(row));
  return object;
}

}  // namespace

std::string coverage_json(const Coverage& coverage) {
  Json document = json_document("tcplab-coverage");
  document["runs"] = coverage.runs();
  document["sections"] = Json::array();
  document["findings"] = Json::array();
  for (const CoverageSection& section : coverage_sections(coverage))
    document["sections"].push_back(json_of(section));
  for (const UnexplainedTransition& finding : coverage.findings())
    document["findings"].push_back({{"scenario", finding.scenario}, {"what", finding.what}});
  return json_text(document);
}

}  // namespace tcplab::reports
