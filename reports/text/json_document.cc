#include "reports/text/json_document.hh"

#include <nlohmann/json.hpp>

namespace tcplab::reports {

namespace {

constexpr int kVersion = 1;  // of all formats, so far

std::string written(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

nlohmann::ordered_json json_document(std::string_view format) {
  return {{"format", format}, {"version", kVersion}};
}

void add_text(nlohmann::ordered_json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

std::string json_text(const nlohmann::ordered_json& document) {
  constexpr int kIndent = 2;
  return written(document, kIndent) + "\n";
}

std::string json_line(const nlohmann::ordered_json& value) {
  constexpr int kOneLine = -1;
  return written(value, kOneLine);
}

}  // namespace tcplab::reports
