// Adds the script's line to errors of its coroutines: error(), assert() and Lua do not always say
// where.
#pragma once

#include <string>
#include <string_view>

struct lua_State;

namespace tcplab::app {

/// The field of Lua's registry that has the scenario's chunk name, "@FILE".
inline constexpr const char* kScenarioFile = "tcplab.scenario";

inline constexpr std::string_view kNoMemory =
    "the script has used all the memory that it may have (64 MiB)";

/// Returns "FILE:LINE: ", or "FILE: " if no function of the script is on the stack.
std::string place_in(lua_State* thread, const std::string& file);

/// Returns the line in which an error has ended the thread; 0 if it is unknown.
int line_of_error(lua_State* thread);

/// Returns "FILE:LINE: what" for the error value on top of the stack.
std::string error_text(lua_State* thread, const std::string& file);

/// Returns whether the message begins with "FILE.lua:LINE: ".
bool has_place(const std::string& message);

/// Replaces a file name that Lua has shortened, "...ong/folder/name.lua:7: what" (LUA_IDSIZE), by
/// the whole name.
std::string with_whole_name(const std::string& message, const std::string& file);

}  // namespace tcplab::app
