// Lua values as JSON, for the client of a session.
#pragma once

#include <lua.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "app/protocol/handles.hh"

namespace tcplab::app {

/// Returns a value as JSON. A list is an array, any other table an object, where whole numbers are
/// keys such as "1"; an object of the session is its handle. `expression` has made the value. What
/// JSON cannot say is its text.
nlohmann::ordered_json json_of_value(lua_State* lua, int index, Handles& handles,
                                     const std::string& expression);

}  // namespace tcplab::app
