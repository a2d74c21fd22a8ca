// The requirements on TCP stacks: a scenario for each, in a folder, and the list of all identifiers
// of RFC 9293 Appendix B, with the reason for each that no scenario tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/script/script.hh"

namespace tcplab::app {

/// A line of rfc9293.txt.
struct ListedRequirement {
  std::string id;        // "MUST-9"
  std::string section;   // "3.4.1"
  std::string says;      // in our words
  bool is_seen = true;   // false: no wire can show whether it is met
  std::string untested;  // why no scenario tests it; empty if one does
};

class RequirementCatalogue {
public:
  /// Reads the scenarios below the folder, and its rfc9293.txt if it has one. Throws
  /// base::UsageError for a script that does not load or has no `requires`, and for a list that is
  /// malformed.
  explicit RequirementCatalogue(const std::filesystem::path& folder);

  /// In the order of reports::comes_before().
  const std::vector<ScriptInfo>& scenarios() const { return scenarios_; }
  const std::vector<ListedRequirement>& listed() const { return listed_; }

  /// Returns the scenarios whose requirement or name is one of `only`, or all if it is empty, and
  /// none of `except`. Throws base::UsageError for a word that is neither, and if none is left.
  std::vector<ScriptInfo> select(const std::vector<std::string>& only,
                                 const std::vector<std::string>& except) const;
  /// Returns the scenarios that test the requirement.
  std::vector<const ScriptInfo*> scenarios_of(const std::string& id) const;
  /// Returns whether the word is the id of a requirement, tested or not.
  bool is_id(const std::string& word) const;

  /// Returns share/tcplab/conformance of the installation, or the folder in the source tree of the
  /// build.
  static std::filesystem::path default_folder();

private:
  [[noreturn]] void refuse(const std::string& word) const;

  std::vector<ScriptInfo> scenarios_;
  std::vector<ListedRequirement> listed_;
};

}  // namespace tcplab::app
