// The whole scripting interface: `lab` and everything that scripts get from it. docs/scenarios.md
// is its reference.
#pragma once

#include <lua.hpp>
#include <nlohmann/json_fwd.hpp>

#include "app/script/lua_interface.hh"

namespace tcplab::app {

/// The interface, put together from what each lua_*.cc registers.
const LuaInterface& script_interface();

/// The same as JSON, with the kinds of events: for tools/editor-stubs, bindings and tests.
nlohmann::ordered_json interface_json();

/// Registers every class with that Lua state.
void install_script_interface(lua_State* lua);

/// Pushes the `lab` that the `run` function of a scenario gets.
void push_lab(lua_State* lua);

}  // namespace tcplab::app
