#include "app/protocol/members.hh"

#include <algorithm>
#include <set>

#include "base/error.hh"
#include "base/nearest.hh"

namespace tcplab::app {

using nlohmann::json;

const json& member(const json& said, const char* name) {
  static const json kNone;
  const auto found = said.find(name);  // end() if it is no object
  return found == said.end() ? kNone : *found;
}

void require_members(const json& said, std::initializer_list<std::string> known,
                     const std::string& what) {
  if (!said.is_object()) throw base::UsageError(what + " is a JSON object: {\"verb\": \"pair\"}");
  for (const auto& [name, value] : said.items()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw base::UsageError(what + " has no member `" + name + "`; " +
                           base::nearest_words(std::set<std::string>(known), name));
  }
}

}  // namespace tcplab::app
