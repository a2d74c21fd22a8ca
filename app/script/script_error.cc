#include "app/script/script_error.hh"

#include <lua.hpp>

namespace tcplab::app {

std::string place_in(lua_State* thread, const std::string& file) {
  lua_Debug activation{};
  for (int level = 0; lua_getstack(thread, level, &activation) == 1; ++level)
    if (lua_getinfo(thread, "Sl", &activation) != 0 && activation.currentline > 0)
      return (*activation.source == '@' ? activation.source + 1 : file) + ":" +
             std::to_string(activation.currentline) + ": ";
  return file + ": ";
}

int line_of_error(lua_State* thread) {
  lua_Debug activation{};
  for (int level = 0; lua_getstack(thread, level, &activation) == 1; ++level)
    if (lua_getinfo(thread, "l", &activation) != 0 && activation.currentline > 0)
      return activation.currentline;
  return 0;
}

std::string error_text(lua_State* thread, const std::string& file) {
  const std::string place = place_in(thread, file);
  // A table may have __tostring, but that is code of the script, which has ended.
  if (lua_isstring(thread, -1) == 0)
    return place + "the script raised an error that is not a text (" + luaL_typename(thread, -1) +
           "); use error \"what is wrong\"";
  const std::string said = with_whole_name(lua_tostring(thread, -1), file);
  return said.starts_with(file + ":") || has_place(said) ? said : place + said;
}

bool has_place(const std::string& message) {
  const auto line = message.find(".lua:");
  if (line == std::string::npos || line > message.find(' ')) return false;
  const auto end = message.find_first_not_of("0123456789", line + 5);
  return end != std::string::npos && end > line + 5 && message[end] == ':';
}

std::string with_whole_name(const std::string& message, const std::string& file) {
  const auto colon = message.find(':');
  if (!message.starts_with("...") || colon == std::string::npos) return message;
  return file.ends_with(message.substr(3, colon - 3)) ? file + message.substr(colon) : message;
}

}  // namespace tcplab::app
