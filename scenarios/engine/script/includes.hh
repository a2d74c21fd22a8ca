// The function `include` of scripts: runs another file of the script's folder, and returns its
// value. The file runs in the same sandbox, under the same limits.
#pragma once

#include <filesystem>
#include <lua.hpp>
#include <map>
#include <string>
#include <vector>

#include "scenarios/engine/script/sandbox.hh"

namespace tcplab::engine {

class Includes {
public:
  /// Adds the global `include` to the sandbox. `file` is the script; includes must be below its
  /// folder. The object must outlive the sandbox's use.
  Includes(Sandbox& sandbox, const std::string& file);
  Includes(const Includes&) = delete;
  Includes& operator=(const Includes&) = delete;

private:
  static int include(lua_State* lua);

  int run(lua_State* lua, const std::string& name);
  std::filesystem::path find(const std::string& from, const std::string& name) const;
  void refuse_cycle(const std::filesystem::path& file) const;

  Sandbox& sandbox_;
  std::string script_;
  std::filesystem::path root_;                      // canonical
  std::vector<std::filesystem::path> in_progress_;  // canonical; the script first
  std::map<std::filesystem::path, int> values_;     // references to what files have returned
};

/// Returns whether the name is that of a file for `include`, which is no scenario: "lib.lua",
/// "handshake.lib.lua".
bool is_library(const std::filesystem::path& file);

}  // namespace tcplab::engine
