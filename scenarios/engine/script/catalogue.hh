// The scenarios that there are: every .lua file below a folder; its name is the file's, its
// topic the folder's. A new scenario is one new file; nothing else knows of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/engine/script/script.hh"

namespace tcplab::engine {

class Catalogue {
public:
  /// `folder` is read when it is first needed.
  explicit Catalogue(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Every scenario file below the folder, sorted by path.
  std::vector<std::filesystem::path> files() const;

  /// The files that `selectors` name, each one once, in order: a FILE, a DIR (everything below
  /// it), the NAME of a scenario, a topic or a TAG. All of them for no selector. Throws
  /// base::UsageError for a selector that names nothing, with the nearest names that exist.
  std::vector<std::filesystem::path> select(const std::vector<std::string>& selectors) const;

  /// Below TCPLAB_SCENARIOS when that is set, else beside the program: in share/tcplab/scenarios
  /// of an installation, in the source tree of a build.
  static std::filesystem::path default_folder();

private:
  std::filesystem::path folder_;
};

/// Of the scripts those that are of one of the topics and have one of the tags; all where none is
/// named. Throws base::UsageError for a topic or a tag that none of the scripts has.
std::vector<ScriptInfo> narrow(std::vector<ScriptInfo> scripts,
                               const std::vector<std::string>& topics,
                               const std::vector<std::string>& tags);

}  // namespace tcplab::engine
