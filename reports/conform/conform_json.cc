#include <nlohmann/json.hpp>

#include "base/error.hh"
#include "reports/conform/conform_views.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kConformFormat = "tcplab-conform";

OrderedJson json_of(const ConformCell& cell, const std::string& stack) {
  OrderedJson json{{"stack", stack}, {"verdict", word(cell.verdict())}};
  OrderedJson& runs = json["runs"] = OrderedJson::array();
  for (const ConformRun& run : cell.runs) {
    runs.push_back({{"family", run.family}, {"verdict", word(run.verdict)}});
    if (!run.reason.empty()) runs.back()["reason"] = run.reason;
    if (!run.directory.empty()) runs.back()["directory"] = run.directory;
  }
  return json;
}

OrderedJson json_of(const ConformRow& row, const std::vector<std::string>& stacks) {
  OrderedJson json{{"id", row.requirement.id},   {"level", name(row.requirement.level)},
                   {"rfc", row.requirement.rfc}, {"says", row.requirement.says},
                   {"met", row.requirement.met}, {"scenario", row.scenario}};
  OrderedJson& verdicts = json["verdicts"] = OrderedJson::array();
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    verdicts.push_back(json_of(row.cells[i], stacks[i]));
  return json;
}

/// Throws unless this is a table of a version that is known. Early ones had no format.
void check_format(const OrderedJson& json) {
  const OrderedJson known = json_document(kConformFormat);
  for (const auto& [key, value] : known.items())
    if (json.value(key, value) != value) throw base::UsageError("another " + key);
}

ConformCell cell_of(const OrderedJson& json) {
  ConformCell cell;
  for (const OrderedJson& run : json.at("runs"))
    cell.runs.push_back({.family = run.at("family"),
                         .verdict = conformity(run.at("verdict").get<std::string>()).value(),
                         .reason = run.value("reason", ""),
                         .directory = run.value("directory", "")});
  return cell;
}

}  // namespace

std::string conform_json(const Conformance& table) {
  OrderedJson json = json_document(kConformFormat);
  json["stacks"] = table.stacks;
  OrderedJson& rows = json["requirements"] = OrderedJson::array();
  for (const ConformRow& row : table.rows) rows.push_back(json_of(row, table.stacks));
  return json_text(json);
}

SavedColumn column_of_json(const std::string& text, const std::string& name) {
  SavedColumn column{.file = name};
  try {
    const OrderedJson json = OrderedJson::parse(text);
    check_format(json);
    column.stack = json.at("stacks").at(0).get<std::string>();
    for (const OrderedJson& row : json.at("requirements"))
      if (!row.at("verdicts").empty())
        column.cells.emplace_back(row.at("scenario"), cell_of(row.at("verdicts").at(0)));
  } catch (const std::exception&) {  // of the JSON library, or a word that does not exist
    throw base::UsageError("--against " + name +
                           ": not a table of tcplab conform; write one with --json FILE");
  }
  return column;
}

}  // namespace tcplab::reports
