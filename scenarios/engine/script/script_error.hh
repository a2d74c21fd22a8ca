// Adds the script's line to errors of its coroutines: error(), assert() and Lua do not always say
// where.
#pragma once

#include <string>

struct lua_State;

namespace tcplab::engine {

/// Returns "FILE:LINE: ", or "FILE: " if no function of the script is on the stack.
std::string place_in(lua_State* thread, const std::string& file);

/// Returns "FILE:LINE: what" for the error value on top of the stack.
std::string error_text(lua_State* thread, const std::string& file);

/// Replaces a file name that Lua has shortened, "...ong/folder/name.lua:7: what" (LUA_IDSIZE), by
/// the whole name.
std::string with_whole_name(const std::string& message, const std::string& file);

}  // namespace tcplab::engine
