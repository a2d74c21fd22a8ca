#include "scenarios/engine/script/catalogue.hh"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/error.hh"
#include "scenarios/engine/script/nearest.hh"

namespace tcplab::engine {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> scripts_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; it != end; it.increment(error)) {
    if (error) break;
    if (it->path().extension() == ".lua" && it->is_regular_file(error)) found.push_back(it->path());
  }
  if (error) throw base::UsageError(folder.string() + ": " + error.message());
  std::ranges::sort(found);
  return found;
}

/// Name, topic and tags of a scenario. A script that does not load has a name and a topic only.
struct Entry {
  fs::path file;
  std::set<std::string> words;
};

Entry entry_of(const fs::path& file) {
  Entry entry{file, {file.stem().string(), file.parent_path().filename().string()}};
  try {
    const Script script(file.string());
    for (const std::string& tag : script.info().tags) entry.words.insert(tag);
  } catch (const base::UsageError&) {
    // `run` and `check` report the error.
  }
  return entry;
}

std::string meant(const std::set<std::string>& there, const std::string& selector) {
  return "; " + (there.empty() ? "there is no scenario" : nearest_words(there, selector));
}

std::set<std::string> words_of(const std::vector<Entry>& entries) {
  std::set<std::string> all;
  for (const Entry& entry : entries) all.insert(entry.words.begin(), entry.words.end());
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

void append_matches(std::vector<fs::path>& chosen, const std::vector<Entry>& entries,
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
    if (entry.words.contains(selector)) chosen.push_back(entry.file);
  if (chosen.size() == before) {
    if (fs::is_directory(selector)) throw no_scenario_below(selector);
    throw base::UsageError("no scenario, topic, tag, file or folder is called \"" + selector +
                           "\"" + meant(words_of(entries), selector) + " (tcplab list shows all)");
  }
}

void remove_repetitions(std::vector<fs::path>& files) {
  std::set<fs::path> seen;
  std::erase_if(
      files, [&](const fs::path& file) { return !seen.insert(fs::weakly_canonical(file)).second; });
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
  if (selectors.empty()) {
    auto all = files();
    if (all.empty()) throw no_scenario_below(folder_);
    return all;
  }
  std::vector<fs::path> chosen;
  std::vector<Entry> entries;  // read only when a selector is not a path
  for (const std::string& selector : selectors) {
    const auto below =
        fs::is_directory(selector) ? scripts_below(selector) : std::vector<fs::path>();
    if (!below.empty()) {
      chosen.insert(chosen.end(), below.begin(), below.end());
    } else if (selector.ends_with(".lua") && !fs::is_directory(selector)) {
      chosen.emplace_back(selector);
    } else {
      if (entries.empty())
        for (const fs::path& file : files()) entries.push_back(entry_of(file));
      append_matches(chosen, entries, selector);
    }
  }
  remove_repetitions(chosen);
  return chosen;
}

fs::path Catalogue::default_folder() {
  const char* folder = std::getenv("TCPLAB_SCENARIOS");
  if (folder != nullptr && *folder != '\0') return folder;
  const fs::path program = fs::canonical("/proc/self/exe");
  const fs::path installed = program.parent_path().parent_path() / "share/tcplab/scenarios";
  return fs::is_directory(installed) ? installed : fs::path(TCPLAB_SOURCE_SCENARIOS);
}

}  // namespace tcplab::engine
