#include <nlohmann/json.hpp>

#include "reports/coverage/coverage_rows.hh"
#include "reports/coverage/coverage_text.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

void add(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

Json json_of(const CoverageRow& row) {
  Json object{{"name", row.name}};
  add(object, "detail", row.detail);
  add(object, "source", row.source);
  object["seen_by"] = row.seen;
  add(object, "cannot_be_seen", row.unseen);
  return object;
}

Json json_of(const CoverageSection& section) {
  Json object{{"kind", section.kind}, {"title", section.title}, {"rows", Json::array()}};
  for (const CoverageRow& row : section.rows) object["rows"].push_back(json_of(row));
  return object;
}

}  // namespace

std::string coverage_json(const Coverage& coverage) {
  Json document{{"format", "tcplab-coverage"},
                {"version", 1},
                {"runs", coverage.runs()},
                {"sections", Json::array()},
                {"findings", Json::array()}};
  for (const CoverageSection& section : coverage_sections(coverage))
    document["sections"].push_back(json_of(section));
  for (const UnexplainedTransition& finding : coverage.findings())
    document["findings"].push_back({{"scenario", finding.scenario}, {"what", finding.what}});
  return document.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace tcplab::reports
