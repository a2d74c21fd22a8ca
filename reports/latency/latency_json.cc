#include "reports/latency/latency_json.hh"

#include <nlohmann/json.hpp>

#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const LatencyTable::Row& row) {
  const LatencyTable::Sample& slowest = row.slowest();
  return {{"call", row.key.call},
          {"result", row.key.result},
          {"has_blocked", row.key.has_blocked},
          {"count", row.sorted.size()},
          {"shortest", row.sorted.front().span.count()},
          {"median", row.percentile(0.5).count()},
          {"p90", row.percentile(0.9).count()},
          {"p99", row.percentile(0.99).count()},
          {"longest", slowest.span.count()},
          {"longest_event", slowest.event}};
}

Json json_of(const OpenCall& call) {
  return {{"call", call.call},
          {"pid", call.process},
          {"t", base::to_nanoseconds(call.entered)},
          {"span", call.span.count()},
          {"event", call.event}};
}

Json json_of(const ProgramLatency& program) {
  Json object = {{"host", program.host},
                 {"program", program.program},
                 {"open", Json::array()},
                 {"calls", Json::array()}};
  for (const OpenCall& call : program.open) object["open"].push_back(json_of(call));
  for (const LatencyTable::Row& row : program.table.rows()) object["calls"].push_back(json_of(row));
  return object;
}

}  // namespace

std::string latency_json(const RunLatency& latency) {
  Json document = json_document("tcplab-latency");
  Json& programs = document["programs"] = Json::array();
  for (const ProgramLatency& program : latency.programs()) programs.push_back(json_of(program));
  return json_text(document);
}

}  // namespace tcplab::reports
