// Checks Lua values against the types that the scripting interface declares (lua_interface.hh):
// arguments of verbs, and fields of option tables.
#pragma once

#include <functional>
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/script/lua_interface.hh"

namespace tcplab::app {

class ValueCheck {
public:
  explicit ValueCheck(const LuaInterface& interface) : interface_(interface) {}

  /// Called for a text that passes as one of these words. Returns what is wrong with it, or "".
  std::function<std::string(const LuaWords& words, const std::string& text)> on_words;

  /// Returns what is wrong with a value: "must be a number, not a text"; empty if it has the type,
  /// or is unknown (unknown_value.hh). Types are those of the Lua language server:
  /// "host|string", "table<string, integer>", "tcp_state".
  std::string complaint(lua_State* lua, int index, std::string_view type) const;
  /// The same for the value of a parameter: also checks its range.
  std::string complaint(lua_State* lua, int index, const LuaParameter& parameter) const;

private:
  std::string complaint_of_one(lua_State* lua, int index, std::string_view type) const;
  std::string complaint_of_elements(lua_State* lua, int index, std::string_view key,
                                    std::string_view value) const;
  std::string complaint_of_table(lua_State* lua, int index, const LuaTable& table) const;
  static std::string complaint_of_whole(lua_State* lua, int index, const LuaTable& table);
  std::string complaint_of_words(lua_State* lua, int index, const LuaWords& words) const;

  const LuaInterface& interface_;
};

/// Splits a type at separators that are in no quotes and no brackets: "host|string" -> "host",
/// "string".
std::vector<std::string_view> split_type(std::string_view type, char separator);

}  // namespace tcplab::app
