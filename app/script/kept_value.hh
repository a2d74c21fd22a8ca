// Keeps a value of a script from Lua's garbage collector while a verb waits.
#pragma once

#include <lua.hpp>

namespace tcplab::app {

/// A value in Lua's registry. If it is never pushed, it stays there until the run ends.
class KeptValue {
public:
  /// Keeps the value at an index of the stack.
  KeptValue(lua_State* lua, int index) {
    lua_pushvalue(lua, index);
    reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  }
  /// Pushes it, for the last time. Returns the number of values pushed, 1.
  int push(lua_State* lua) const {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference_);
    luaL_unref(lua, LUA_REGISTRYINDEX, reference_);
    return 1;
  }

private:
  int reference_;
};

}  // namespace tcplab::app
