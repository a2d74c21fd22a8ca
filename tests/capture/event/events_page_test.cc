// Checks docs/events.md: each example is exactly what the code writes, and each key is explained.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event_json.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

std::string page_path() {
  const char* source = std::getenv("TCPLAB_SOURCE");
  return (source == nullptr ? std::string(".") : std::string(source)) + "/docs/events.md";
}

/// The lines between "```" + fence and "```".
std::vector<std::string> examples(const std::string& fence) {
  std::ifstream page(page_path());
  REQUIRE(page);
  std::vector<std::string> found;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```"))
      is_inside = line == "```" + fence;
    else if (is_inside)
      found.push_back(line);
  }
  return found;
}

}  // namespace

TEST_CASE("every example in docs/events.md is exactly what the code writes") {
  for (const std::string& line : examples("json")) {
    INFO(line);
    Event event;
    REQUIRE_NOTHROW(event = parse_event(line));
    CHECK(to_json_line(event) == line);
  }
}

TEST_CASE("every kind of event has an example") {
  std::set<std::size_t> kinds;
  for (const std::string& line : examples("json")) kinds.insert(parse_event(line).body.index());
  CHECK(kinds.size() == std::variant_size_v<Body>);
}

TEST_CASE("the examples of dnc's lines on the page are read as calls") {
  const auto lines = examples("json dnc");
  REQUIRE_FALSE(lines.empty());
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(std::holds_alternative<Call>(parse_event(line).body));
  }
}

TEST_CASE("every key in the examples is explained on the page") {
  std::ifstream page(page_path());
  std::string text;
  for (std::string line; std::getline(page, line);)
    if (!line.starts_with('{')) text += line + '\n';
  for (const std::string& line : examples("json")) {
    for (std::size_t at = line.find("\":"); at != std::string::npos;
         at = line.find("\":", at + 1)) {
      const auto begin = line.rfind('"', at - 1) + 1;
      const std::string key = line.substr(begin, at - begin);
      if (key.empty() || key.back() == '\\') continue;  // an escaped quote in a text
      INFO(key);
      CHECK(text.find('`' + key + '`') != std::string::npos);
    }
  }
}
