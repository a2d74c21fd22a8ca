// Runs a script without hosts, to find misuse of the scripting interface. Each verb checks its
// arguments against its row (lua_interface.hh), returns an object or an unknown value
// (unknown_value.hh), and does nothing else. Needs no privileges.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/script/lua_interface.hh"
#include "app/script/script.hh"

namespace tcplab::app {

/// The run that the script believes to be in.
struct DryRunSettings {
  base::Family family = base::Family::ipv4;
  std::string timers = "fast";
  bool has_new_kernel = true;  // what lab:since answers
  /// The answer to the first comparison of unknown values in each line; the next answer is the
  /// other one, so that loops end.
  bool first_comparison = true;
};

struct DryRunResult {
  std::vector<std::string> errors;  // "FILE:LINE: what is wrong; how to fix it"
  /// The line after which nothing was checked, because it depends on a value that only a run
  /// knows; 0 if the script came to its end.
  int stopped_at = 0;
};

/// Never reports a script that is right: after the script has used an unknown value, an error of
/// Lua or of the script itself ends the dry run without a report.
DryRunResult dry_run(Script& script, const LuaInterface& interface, const DryRunSettings& settings);

/// Runs the script in `file` dry on each of its families, with fast and stock timers (and the other
/// answers to comparisons), and joins the results. `stopped_at` is the
/// last line that any of them reached. Calls `before_case` before each dry run. Throws
/// base::UsageError if it does not load.
DryRunResult check_uses(
    const std::string& file, const LuaInterface& interface,
    const std::function<void()>& before_case = [] {});

}  // namespace tcplab::app
