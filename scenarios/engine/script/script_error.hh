// What a coroutine of a script has failed with, said with the line that it is in: error(), assert()
// and Lua itself do not always say where.
#pragma once

#include <string>

struct lua_State;

namespace tcplab::engine {

/// "FILE:LINE: "; without the line where the coroutine is in none of the script's.
std::string place_in(lua_State* thread, const std::string& file);

/// Of the error value that is on top of the stack: "FILE:LINE: what".
std::string error_text(lua_State* thread, const std::string& file);

/// Lua's own places have the end only of a long name: "...ong/folder/name.lua:7: what"
/// (LUA_IDSIZE).
std::string with_whole_name(const std::string& message, const std::string& file);

}  // namespace tcplab::engine
