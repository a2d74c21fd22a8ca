#include "app/conform/requirement_catalogue.hh"

#include <algorithm>
#include <fstream>
#include <set>

#include "app/catalogue/catalogue.hh"
#include "app/script/own_scenarios.hh"
#include "base/error.hh"
#include "base/nearest.hh"
#include "base/split.hh"

namespace tcplab::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kColumns = 3;  // and one more for a requirement that no scenario tests
constexpr std::string_view kUnseen = "unseen: ";
constexpr std::string_view kUntested = "untested: ";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// A line is "ID | SECTION | WHAT IT SAYS", and " | unseen: why" or " | untested: why" if no
/// scenario tests it.
ListedRequirement listed_of(const std::string& line, const std::string& place) {
  std::vector<std::string> columns;
  for (const std::string& column : base::split(line, '|')) columns.push_back(trimmed(column));
  if (columns.size() != kColumns && columns.size() != kColumns + 1)
    throw base::UsageError(place + ": write ID | SECTION | WHAT IT SAYS | WHY IT IS NOT TESTED");
  ListedRequirement listed{.id = columns[0], .section = columns[1], .says = columns[2]};
  const std::string why = columns.size() > kColumns ? columns[kColumns] : "";
  listed.is_seen = !why.starts_with(kUnseen);
  if (!why.empty() && listed.is_seen && !why.starts_with(kUntested))
    throw base::UsageError(place + ": the reason begins with \"unseen: \" or \"untested: \"");
  if (!why.empty()) listed.untested = why.substr(why.find(' ') + 1);
  return listed;
}

std::vector<ListedRequirement> read_list(const fs::path& file) {
  std::vector<ListedRequirement> all;
  std::ifstream stream(file);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    all.push_back(listed_of(line, file.string() + ":" + std::to_string(number)));
  }
  return all;
}

std::vector<ScriptInfo> load(const fs::path& folder) {
  std::vector<ScriptInfo> all;
  for (const LoadedScenarios& loaded : load_in_children(Catalogue(folder).choose({}))) {
    if (!loaded.wrong.empty()) throw base::UsageError(loaded.wrong);
    for (const ScriptInfo& one : loaded.scenarios) {
      if (!one.requirement)
        throw base::UsageError(one.file + ": it has no `requires`, so it tests no requirement");
      all.push_back(one);
    }
  }
  std::ranges::stable_sort(all, [](const ScriptInfo& one, const ScriptInfo& other) {
    return reports::comes_before(*one.requirement, *other.requirement);
  });
  return all;
}

bool is_called(const ScriptInfo& one, const std::string& word) {
  return one.requirement->id == word || one.name == word;
}

}  // namespace

RequirementCatalogue::RequirementCatalogue(const fs::path& folder)
    : scenarios_(load(folder)), listed_(read_list(folder / "rfc9293.txt")) {}

std::vector<const ScriptInfo*> RequirementCatalogue::scenarios_of(const std::string& id) const {
  std::vector<const ScriptInfo*> found;
  for (const ScriptInfo& one : scenarios_)
    if (one.requirement->id == id) found.push_back(&one);
  return found;
}

bool RequirementCatalogue::is_id(const std::string& word) const {
  return !scenarios_of(word).empty() ||
         std::ranges::find(listed_, word, &ListedRequirement::id) != listed_.end();
}

std::vector<ScriptInfo> RequirementCatalogue::select(const std::vector<std::string>& only,
                                                     const std::vector<std::string>& except) const {
  for (const auto* words : {&only, &except})
    for (const std::string& word : *words)
      if (std::ranges::none_of(scenarios_,
                               [&](const ScriptInfo& one) { return is_called(one, word); }))
        refuse(word);
  const auto is_one_of = [](const ScriptInfo& one, const std::vector<std::string>& words) {
    return std::ranges::any_of(words,
                               [&](const std::string& word) { return is_called(one, word); });
  };
  std::vector<ScriptInfo> chosen;
  for (const ScriptInfo& one : scenarios_)
    if ((only.empty() || is_one_of(one, only)) && !is_one_of(one, except)) chosen.push_back(one);
  if (chosen.empty()) throw base::UsageError("--except leaves no requirement to test");
  return chosen;
}

void RequirementCatalogue::refuse(const std::string& word) const {
  const auto listed = std::ranges::find(listed_, word, &ListedRequirement::id);
  if (listed != listed_.end())
    throw base::UsageError("no scenario tests " + word + ": " + listed->untested);
  std::set<std::string> known;
  for (const ScriptInfo& one : scenarios_) known.insert({one.requirement->id, one.name});
  throw base::UsageError("no requirement is called \"" + word + "\"" +
                         base::probable_words(known, word) + " (tcplab conform --list shows all)");
}

fs::path RequirementCatalogue::default_folder() {
  return own_scenarios().parent_path() / "conformance";
}

}  // namespace tcplab::app
