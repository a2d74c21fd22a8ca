#include "app/catalogue/catalogue.hh"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/catalogue/child_work.hh"
#include "app/catalogue/script_info_json.hh"
#include "app/script/includes.hh"
#include "app/script/own_scenarios.hh"
#include "app/script/script_error.hh"
#include "base/error.hh"
#include "base/limits.hh"
#include "base/nearest.hh"

namespace tcplab::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostListed = 12;        // words, if none is near
constexpr std::chrono::seconds kLoadLimit{2};  // a script of the catalogue needs milliseconds

std::vector<fs::path> scripts_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; it != end; it.increment(error)) {
    if (error) break;
    if (it->path().extension() == ".lua" && it->is_regular_file(error) && !is_library(it->path()))
      found.push_back(it->path());
  }
  if (error && !base::limit_of_files(error.value()).empty())
    throw base::SystemError("read the folder " + folder.string(), error.value());
  if (error) throw base::UsageError(folder.string() + ": " + error.message());
  std::ranges::sort(found);
  return found;
}

/// Name, topic and tags of a scenario, and the names of its cases. A script that does not load has
/// a name and a topic only.
struct Entry {
  fs::path file;
  std::set<std::string> words;
  std::map<std::string, std::string> cases{};  // "route-none" -> "none"

  bool has(const std::string& word) const { return words.contains(word) || cases.contains(word); }
};

Entry entry_of(const fs::path& file, const LoadedScenarios& loaded) {
  Entry entry{file, {file.stem().string(), file.parent_path().filename().string()}};
  for (const ScriptInfo& one : loaded.scenarios) {
    entry.words.insert(one.tags.begin(), one.tags.end());
    if (!one.case_name.empty()) entry.cases[one.name] = one.case_name;
  }
  return entry;
}

/// Ignores what is wrong with a script: `run` and `check` report it.
std::vector<Entry> entries_of(const std::vector<fs::path>& files) {
  std::vector<ScriptChoice> choices;
  choices.reserve(files.size());
  for (const fs::path& file : files) choices.push_back({file, ""});
  const std::vector<LoadedScenarios> loaded = load_in_children(choices);
  std::vector<Entry> entries;
  entries.reserve(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) entries.push_back(entry_of(files[i], loaded[i]));
  return entries;
}

std::string meant(const std::set<std::string>& there, const std::string& selector) {
  if (there.empty()) return "; there is no scenario";
  std::string probable = base::probable_words(there, selector);
  if (!probable.empty() || there.size() > kMostListed) return probable;
  return fmt::format("; choose from {}", fmt::join(there, ", "));
}

std::set<std::string> words_of(const std::vector<Entry>& entries) {
  std::set<std::string> all;
  for (const Entry& entry : entries) {
    all.insert(entry.words.begin(), entry.words.end());
    for (const auto& [name, one] : entry.cases) all.insert(name);
  }
  return all;
}

/// Throws for the first unknown word.
void require_all(const std::set<std::string>& there, const std::vector<std::string>& words,
                 const std::string& what) {
  for (const std::string& word : words)
    if (!there.contains(word))
      throw base::UsageError("no chosen scenario has the " + what + " \"" + word + "\"" +
                             meant(there, word));
}

bool has_one_of(const std::vector<std::string>& here, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::find_first_of(here, wanted) != here.end();
}

base::UsageError no_scenario_below(const fs::path& folder) {
  return base::UsageError(folder.string() + ": no .lua file is below this folder");
}

void append_matches(std::vector<ScriptChoice>& chosen, const std::vector<Entry>& entries,
                    const std::string& selector) {
  if (selector.empty()) throw base::UsageError("an empty word names no scenario");
  const bool is_path = selector.find('/') != std::string::npos;
  if (is_path && fs::is_directory(selector)) throw no_scenario_below(selector);
  if (is_path || fs::is_regular_file(selector))
    throw base::UsageError(selector + (fs::exists(selector)
                                           ? ": not a scenario: its name does not end in .lua"
                                           : ": no such file or folder"));
  const std::size_t before = chosen.size();
  for (const Entry& entry : entries)
    if (entry.has(selector))
      chosen.push_back(
          {entry.file, entry.words.contains(selector) ? "" : entry.cases.at(selector)});
  if (chosen.size() == before) {
    if (fs::is_directory(selector)) throw no_scenario_below(selector);
    throw base::UsageError("no scenario, topic, tag, file or folder is called \"" + selector +
                           "\"" + meant(words_of(entries), selector) + " (tcplab list shows all)");
  }
}

/// A whole script takes the place of its cases.
void remove_repetitions(std::vector<ScriptChoice>& choices) {
  const auto key = [](const ScriptChoice& choice) {
    return std::pair(fs::weakly_canonical(choice.file).string(), choice.case_name);
  };
  std::set<std::string> whole;
  for (const ScriptChoice& choice : choices)
    if (choice.case_name.empty()) whole.insert(key(choice).first);
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(choices, [&](const ScriptChoice& choice) {
    const auto own = key(choice);
    return (!choice.case_name.empty() && whole.contains(own.first)) || !seen.insert(own).second;
  });
}

}  // namespace

std::vector<ScriptInfo> narrow(std::vector<ScriptInfo> scripts,
                               const std::vector<std::string>& topics,
                               const std::vector<std::string>& tags) {
  std::set<std::string> all_topics;
  std::set<std::string> all_tags;
  for (const ScriptInfo& script : scripts) {
    all_topics.insert(script.topic);
    all_tags.insert(script.tags.begin(), script.tags.end());
  }
  require_all(all_topics, topics, "topic");
  require_all(all_tags, tags, "tag");
  std::erase_if(scripts, [&](const ScriptInfo& script) {
    return !has_one_of({script.topic}, topics) || !has_one_of(script.tags, tags);
  });
  return scripts;
}

std::vector<fs::path> Catalogue::files() const { return scripts_below(folder_); }

std::vector<fs::path> Catalogue::select(const std::vector<std::string>& selectors) const {
  std::vector<fs::path> chosen;
  for (const ScriptChoice& choice : choose(selectors))
    if (std::ranges::find(chosen, choice.file) == chosen.end()) chosen.push_back(choice.file);
  return chosen;
}

std::vector<ScriptChoice> Catalogue::choose(const std::vector<std::string>& selectors) const {
  std::vector<ScriptChoice> chosen;
  const auto add_all = [&chosen](const std::vector<fs::path>& below) {
    for (const fs::path& file : below) chosen.push_back({file, ""});
  };
  if (selectors.empty()) {
    add_all(files());
    if (chosen.empty()) throw no_scenario_below(folder_);
    return chosen;
  }
  std::vector<Entry> entries;  // read only when a selector is not a path
  for (const std::string& selector : selectors) {
    const auto below =
        fs::is_directory(selector) ? scripts_below(selector) : std::vector<fs::path>();
    if (!below.empty()) {
      add_all(below);
    } else if (selector.ends_with(".lua") && !fs::is_directory(selector)) {
      chosen.push_back({selector, ""});
    } else {
      if (entries.empty()) entries = entries_of(files());
      append_matches(chosen, entries, selector);
    }
  }
  remove_repetitions(chosen);
  return chosen;
}

std::vector<ScriptInfo> scenarios_of(const ScriptChoice& choice) {
  Script script(choice.file.string());
  if (choice.case_name.empty()) return script.scenarios();
  script.choose_case(choice.case_name);
  return {script.info()};
}

namespace {

/// Names the file, unless the error does.
std::string with_file(const fs::path& file, const std::string& wrong) {
  return wrong.starts_with(file.string()) || has_place(wrong) ? wrong
                                                              : file.string() + ": " + wrong;
}

/// CBOR, because JSON takes only UTF-8, and texts of a script may have other bytes.
std::string packed(const std::vector<ScriptInfo>& scenarios) {
  auto all = nlohmann::ordered_json::array();
  for (const ScriptInfo& one : scenarios) all.push_back({json_of(one), one.case_name});
  std::string bytes;
  nlohmann::ordered_json::to_cbor(all, bytes);
  return bytes;
}

std::vector<ScriptInfo> unpacked(const std::string& bytes) {
  std::vector<ScriptInfo> scenarios;
  for (const auto& one : nlohmann::ordered_json::from_cbor(bytes)) {
    scenarios.push_back(script_info_of(one.at(0)));
    scenarios.back().case_name = one.at(1);
  }
  return scenarios;
}

}  // namespace

std::vector<LoadedScenarios> load_in_children(const std::vector<ScriptChoice>& choices) {
  std::vector<LoadedScenarios> loaded(choices.size());
  const auto load = [&](std::size_t i) { return packed(scenarios_of(choices[i])); };
  work_in_children({.items = choices.size(), .limit = kLoadLimit, .work = load},
                   [&](std::size_t i, const ChildAnswer& answer) {
                     if (answer.wrong.empty())
                       loaded[i].scenarios = unpacked(answer.text);
                     else
                       loaded[i].wrong = with_file(choices[i].file, answer.wrong);
                   });
  return loaded;
}

fs::path Catalogue::default_folder() {
  const char* folder = std::getenv("TCPLAB_SCENARIOS");
  return folder != nullptr && *folder != '\0' ? folder : own_scenarios();
}

}  // namespace tcplab::app
