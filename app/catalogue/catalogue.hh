// Finds scenarios: every .lua file below a folder, except libraries (is_library in includes.hh).
// The file name is the name of the scenario, the folder is its topic. There is no list to edit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/script/script.hh"

namespace tcplab::app {

/// A script, or one case of it.
struct ScriptChoice {
  std::filesystem::path file;
  std::string case_name{};  // empty for all
};

/// Loads the script. Returns a scenario for each of its cases, or for the chosen one.
std::vector<ScriptInfo> scenarios_of(const ScriptChoice& choice);

/// What scenarios_of() returns for a choice, or what is wrong with its script.
struct LoadedScenarios {
  std::vector<ScriptInfo> scenarios{};
  std::string wrong{};  // empty if the script loads
};

/// Loads the scripts in child processes, so that one that hangs stops only itself.
std::vector<LoadedScenarios> load_in_children(const std::vector<ScriptChoice>& choices);

class Catalogue {
public:
  /// Reads the folder only when needed.
  explicit Catalogue(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Returns every scenario file below the folder, sorted by path.
  std::vector<std::filesystem::path> files() const;

  /// Returns the files that `selectors` name, each once, in their order. A selector is a file, a
  /// folder, or the name, topic or tag of scenarios, or the name of a case. Without selectors,
  /// returns all files. Throws base::UsageError for a selector that names nothing, with the nearest
  /// names.
  std::vector<std::filesystem::path> select(const std::vector<std::string>& selectors) const;

  /// The same, with the cases that are selected by their names.
  std::vector<ScriptChoice> choose(const std::vector<std::string>& selectors) const;

  /// Returns TCPLAB_SCENARIOS if it is set, else own_scenarios().
  static std::filesystem::path default_folder();

private:
  std::filesystem::path folder_;
};

/// Keeps the scripts that have one of the topics and one of the tags. An empty list keeps all.
/// Throws base::UsageError for a topic or a tag that no script has.
std::vector<ScriptInfo> narrow(std::vector<ScriptInfo> scripts,
                               const std::vector<std::string>& topics,
                               const std::vector<std::string>& tags);

}  // namespace tcplab::app
