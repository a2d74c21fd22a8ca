#include <string_view>

#include "app/script/lua_binding.hh"

namespace tcplab::app {

namespace {

// The key of a table in the registry: value -> its number. It does not keep the values alive.
char numbers_key = 0;

void push_kind(lua_State* lua, int index) {
  if (luaL_getmetafield(lua, index, "__name") == LUA_TSTRING) return;
  lua_pushstring(lua, luaL_typename(lua, index));
}

/// Pushes the number of the value, whose kind is on top of the stack.
void push_number(lua_State* lua, int index) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &numbers_key);
  lua_pushvalue(lua, index);
  if (lua_rawget(lua, -2) == LUA_TNIL) {
    lua_pop(lua, 1);
    lua_pushvalue(lua, -2);  // the highest number of a kind has the kind as its key
    lua_rawget(lua, -2);
    lua_pushinteger(lua, lua_tointeger(lua, -1) + 1);
    lua_replace(lua, -2);
    lua_pushvalue(lua, -3);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, -4);
    lua_pushvalue(lua, index);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, -4);
  }
  lua_remove(lua, -2);
}

/// Pushes the text.
void push_stable_text(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  if (luaL_callmeta(lua, index, "__tostring") != 0) {
    if (lua_isstring(lua, -1) == 0) luaL_error(lua, "'__tostring' must return a string");
    return;
  }
  const int type = lua_type(lua, index);
  if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING) {
    luaL_tolstring(lua, index, nullptr);
    return;
  }
  push_kind(lua, index);
  push_number(lua, index);
  lua_pushfstring(lua, "%s %I", lua_tostring(lua, -2),
                  static_cast<LUAI_UACINT>(lua_tointeger(lua, -1)));
  lua_replace(lua, -3);
  lua_pop(lua, 1);
}

int to_string(lua_State* lua) {
  luaL_checkany(lua, 1);
  push_stable_text(lua, 1);
  return 1;
}

/// Replaces the arguments of "%s" by their texts.
void replace_arguments(lua_State* lua, std::string_view form) {
  const int last = lua_gettop(lua);
  int argument = 1;
  for (std::size_t at = form.find('%'); at < form.size(); at = form.find('%', at)) {
    at = form.find_first_not_of("-+ #0123456789.", at + 1);
    if (at == std::string_view::npos) return;
    const char conversion = form[at++];
    if (conversion == '%') continue;
    ++argument;
    if (conversion == 'p')
      luaL_error(lua,
                 "string.format has no %%p here: an address differs from run to run; write %%s");
    if (conversion != 's' || argument > last) continue;
    push_stable_text(lua, argument);
    lua_replace(lua, argument);
  }
}

/// Upvalue: Lua's string.format. Its errors do not know the line of the script.
int format(lua_State* lua) {
  std::size_t size = 0;
  const char* form = luaL_checklstring(lua, 1, &size);
  replace_arguments(lua, {form, size});
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  if (lua_pcall(lua, lua_gettop(lua) - 1, 1, 0) == LUA_OK) return 1;
  luaL_where(lua, 1);
  luaL_gsub(lua, lua_tostring(lua, -2), "to '?'", "to 'format'");
  lua_concat(lua, 2);
  return lua_error(lua);
}

}  // namespace

std::string stable_text(lua_State* lua, int index) {
  push_stable_text(lua, index);
  std::size_t size = 0;
  const char* bytes = lua_tolstring(lua, -1, &size);
  std::string text(bytes, size);
  lua_pop(lua, 1);
  return text;
}

void install_stable_text(lua_State* lua) {
  lua_newtable(lua);
  lua_newtable(lua);
  lua_pushliteral(lua, "k");
  lua_setfield(lua, -2, "__mode");
  lua_setmetatable(lua, -2);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &numbers_key);
  lua_register(lua, "tostring", to_string);
  lua_getglobal(lua, "string");
  lua_getfield(lua, -1, "format");
  lua_pushcclosure(lua, format, 1);
  lua_setfield(lua, -2, "format");
  lua_pop(lua, 1);
}

}  // namespace tcplab::app
