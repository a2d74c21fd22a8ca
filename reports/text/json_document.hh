// How each JSON document of tcplab begins and is written. docs/schema has a schema for each format.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tcplab::reports {

/// Returns an object with the first two members of a document: the name and the version of its
/// format.
nlohmann::ordered_json json_document(std::string_view format);

/// Adds the member unless the text is empty.
void add_text(nlohmann::ordered_json& object, const char* key, const std::string& text);

/// Returns the text with indented members and a line feed. It is ASCII only: a terminal may show
/// it, and obeys some other characters. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& document);

/// The same in one line, without a line feed.
std::string json_line(const nlohmann::ordered_json& value);

}  // namespace tcplab::reports
