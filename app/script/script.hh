// A loaded and valid scenario script: the fields of its table, and its `run` function, which stays
// in the sandbox's registry.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/script/includes.hh"
#include "app/script/lua_interface.hh"
#include "app/script/sandbox.hh"
#include "base/endpoint.hh"
#include "reports/text/quiz.hh"
#include "reports/text/rfc_requirement.hh"

namespace tcplab::app {

struct ScriptInfo {
  std::string name;   // from the file's name: "power-cycle"
  std::string topic;  // the name of its folder: "puzzlers"
  std::string file;
  std::string title;
  std::string asks;
  std::string source;
  std::string article;  // what the article observed; empty if it has no such experiment
  std::string here;     // what Linux does
  std::string why;
  std::vector<std::string> tags;
  std::vector<base::Family> families;  // both by default
  std::vector<std::string> needs;      // "sysctl net.ipv4.tcp_rto_max_ms", "kernel 6.15", ...
  std::string since{};  // the version of Linux from which on its expectations hold; empty: any
  std::optional<reports::QuizQuestion> quiz{};
  std::optional<reports::RfcRequirement> requirement{};  // `requires`: tcplab conform tests it
  std::string case_name{};  // empty if the scenario has no cases, or none is chosen
};

class FieldReader;

class Script {
public:
  /// Loads a scenario. Throws base::UsageError: "FILE:LINE: what is wrong; how to fix it".
  explicit Script(const std::string& file, SandboxLimits limits = {});
  /// Makes a script without a file or a `run` function; a session adds its lines while it runs.
  explicit Script(ScriptInfo session);

  const ScriptInfo& info() const { return info_; }
  /// Returns a scenario for each case, named "SCENARIO-CASE"; only info() if there are no cases.
  const std::vector<ScriptInfo>& scenarios() const { return scenarios_; }
  /// Makes info() that of a case, and gives the case to `run`. Throws base::UsageError if there is
  /// no such case; an empty name is that of a scenario without cases.
  void choose_case(const std::string& name);
  Sandbox& sandbox() { return *sandbox_; }

  /// Makes a coroutine with `run` on its stack; it lives as long as the script.
  lua_State* start();
  /// Pushes the table of the chosen case, an argument of `run` after the lab. Returns how many
  /// values it pushed.
  int push_case(lua_State* thread) const;

  /// Returns a line of the script, without the white space around it; empty if there is no such
  /// line.
  std::string line(int number) const;
  /// Returns the whole text of the script.
  std::string text() const;
  void add_line(const std::string& line) { lines_.push_back(line); }
  int lines() const { return static_cast<int>(lines_.size()); }

private:
  void read_cases(const FieldReader& fields);

  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Includes> includes_;
  ScriptInfo info_;
  std::vector<ScriptInfo> scenarios_;
  int cases_reference_ = LUA_NOREF;
  int case_number_ = 0;  // of the chosen case, from 1
  int run_reference_ = LUA_NOREF;
  std::vector<std::string> lines_;
};

/// Returns the fields of the table that a scenario returns.
LuaModule scenario_module();

}  // namespace tcplab::app
