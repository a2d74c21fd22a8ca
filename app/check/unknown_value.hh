// A value that only a real run knows: a time, a field of an event. In a dry run (dry_run.hh) a
// script may compute with it: each result is such a value again.
#pragma once

#include <functional>
#include <lua.hpp>

namespace tcplab::app {

/// How unknown values of one Lua state behave.
struct UnknownValues {
  /// Called when a script uses one. What it does from then on may differ from a run.
  std::function<void()> on_use;
  /// Answers a comparison.
  std::function<bool(lua_State*)> compare;
};

/// Prepares a state for unknown values: library functions such as math.max and tonumber return one
/// if they get one. `values` must outlive the state's use.
void install_unknown_values(lua_State* lua, UnknownValues& values);

int push_unknown_value(lua_State* lua);
bool is_unknown_value(lua_State* lua, int index);

}  // namespace tcplab::app
