#include "reports/diff/difference_json.hh"

#include <nlohmann/json.hpp>

#include "capture/event/event_words.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

std::string_view word_of(DifferenceLine::Kind kind) {
  switch (kind) {
    case DifferenceLine::Kind::same:
      return "same";
    case DifferenceLine::Kind::removed:
      return "removed";
    case DifferenceLine::Kind::added:
      return "added";
    case DifferenceLine::Kind::gap:
      return "gap";
    case DifferenceLine::Kind::unknown:
      return "unknown";
  }
  return "";
}

Json json_of(const NamedBehaviour& named) {
  const auto& [directory, behaviour] = named;
  const capture::RunStart& run = behaviour.run();
  Json object = {{"directory", directory},
                 {"scenario", run.scenario},
                 {"family", capture::word(run.family)},
                 {"timers", run.timers},
                 {"kernel", run.kernel}};
  if (behaviour.end()) object["outcome"] = capture::word(behaviour.end()->outcome);
  return object;
}

}  // namespace

Json json_of(const Difference& difference) {
  Json object = {{"lists", Json::array()},
                 {"notes", difference.notes},
                 {"is_one_cut_off", difference.is_one_cut_off}};
  for (const ListDifference& list : difference.lists) {
    Json lines = Json::array();
    for (const DifferenceLine& line : list.lines)
      lines.push_back({{"kind", word_of(line.kind)}, {"text", line.text}});
    object["lists"].push_back({{"title", list.title}, {"lines", std::move(lines)}});
  }
  return object;
}

std::string difference_json(const NamedBehaviour& one, const NamedBehaviour& other,
                            const Difference& difference) {
  Json document = json_document("tcplab-diff");
  document["runs"] = {json_of(one), json_of(other)};
  document["is_same"] = difference.is_none();
  document.update(json_of(difference));
  return json_text(document);
}

}  // namespace tcplab::reports
