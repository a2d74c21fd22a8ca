// The functions `include` and `include_folder` of scripts: run other files of the script's folder,
// or of tcplab's own scenarios, and return their values. The files run in the same sandbox, under
// the same limits.
#pragma once

#include <filesystem>
#include <lua.hpp>
#include <map>
#include <string>
#include <vector>

#include "app/script/sandbox.hh"

namespace tcplab::app {

class Includes {
public:
  /// Adds the globals `include` and `include_folder` to the sandbox. `file` is the script; includes
  /// must be below its folder, or below tcplab's own scenarios: names that begin with "tcplab/" are
  /// relative to these. The object must outlive the sandbox's use.
  Includes(Sandbox& sandbox, const std::string& file);
  Includes(const Includes&) = delete;
  Includes& operator=(const Includes&) = delete;

private:
  template <int (Includes::*kRun)(lua_State*, const std::string&)>
  static int call(lua_State* lua);

  int run(lua_State* lua, const std::string& name);
  int run_folder(lua_State* lua, const std::string& name);
  void run_file(lua_State* lua, const std::filesystem::path& file, const std::string& shown);
  std::filesystem::path find(const std::string& from, const std::string& name) const;
  void refuse_excess(const std::filesystem::path& file) const;
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

}  // namespace tcplab::app
