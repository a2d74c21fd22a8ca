#include "app/check/unknown_value.hh"

#include <array>

namespace tcplab::app {

namespace {

constexpr const char* kName = "unknown value";
constexpr int kResults = 8;  // of a call: more than a script takes

constexpr std::array kOperators = {"__add", "__sub",  "__mul",    "__div",  "__mod",  "__pow",
                                   "__unm", "__idiv", "__band",   "__bor",  "__bxor", "__shl",
                                   "__shr", "__bnot", "__concat", "__index"};
constexpr std::array kComparisons = {"__eq", "__lt", "__le"};
constexpr std::array kLibraries = {"string", "math", "utf8"};
// Other functions take unknown values as they take any value.
constexpr std::array kFunctions = {"tonumber", "tostring", "type"};
constexpr std::array kIterators = {"pairs", "ipairs"};

UnknownValues& values_of(lua_State* lua) {
  return *static_cast<UnknownValues*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int give_unknown(lua_State* lua) {
  values_of(lua).on_use();
  return push_unknown_value(lua);
}

int call_unknown(lua_State* lua) {
  values_of(lua).on_use();
  luaL_checkstack(lua, kResults, "results");
  for (int i = 0; i < kResults; ++i) push_unknown_value(lua);
  return kResults;
}

int compare(lua_State* lua) {
  UnknownValues& values = values_of(lua);
  values.on_use();
  lua_pushboolean(lua, values.compare(lua) ? 1 : 0);
  return 1;
}

int ignore(lua_State* lua) {
  values_of(lua).on_use();
  return 0;
}

int length(lua_State* lua) {
  values_of(lua).on_use();
  lua_pushinteger(lua, 0);
  return 1;
}

bool has_unknown(lua_State* lua) {
  for (int i = 1; i <= lua_gettop(lua); ++i)
    if (is_unknown_value(lua, i)) return true;
  return false;
}

/// Calls the function in upvalue 2, unless an argument is unknown.
int call_library(lua_State* lua) {
  if (has_unknown(lua)) return give_unknown(lua);
  lua_pushvalue(lua, lua_upvalueindex(2));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  return lua_gettop(lua);
}

/// pairs and ipairs: an unknown value has no elements.
int iterate(lua_State* lua) {
  if (is_unknown_value(lua, 1)) {
    values_of(lua).on_use();
    lua_settop(lua, 0);
    lua_getglobal(lua, "next");
    lua_newtable(lua);
    return 2;
  }
  lua_pushvalue(lua, lua_upvalueindex(2));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  return lua_gettop(lua);
}

/// Replaces a field of the table on top of the stack by `wrapper`, which gets it as upvalue 2.
void wrap_field(lua_State* lua, const char* name, lua_CFunction wrapper, UnknownValues& values) {
  lua_pushlightuserdata(lua, &values);
  lua_getfield(lua, -2, name);
  lua_pushcclosure(lua, wrapper, 2);
  lua_setfield(lua, -2, name);
}

/// Replaces every function of a library. The keys stay, so lua_next() may go on.
void wrap_library(lua_State* lua, const char* library, UnknownValues& values) {
  lua_getglobal(lua, library);
  for (lua_pushnil(lua); lua_next(lua, -2) != 0;) {
    const bool is_function = lua_iscfunction(lua, -1) != 0;
    lua_pop(lua, 1);
    if (!is_function) continue;
    lua_pushvalue(lua, -2);
    wrap_field(lua, lua_tostring(lua, -2), call_library, values);
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

void set_metamethod(lua_State* lua, const char* name, lua_CFunction function,
                    UnknownValues& values) {
  lua_pushlightuserdata(lua, &values);
  lua_pushcclosure(lua, function, 1);
  lua_setfield(lua, -2, name);
}

}  // namespace

void install_unknown_values(lua_State* lua, UnknownValues& values) {
  luaL_newmetatable(lua, kName);
  for (const char* name : kOperators) set_metamethod(lua, name, give_unknown, values);
  for (const char* name : kComparisons) set_metamethod(lua, name, compare, values);
  set_metamethod(lua, "__call", call_unknown, values);
  set_metamethod(lua, "__newindex", ignore, values);
  set_metamethod(lua, "__len", length, values);
  lua_pushstring(lua, kName);
  lua_setfield(lua, -2, "__metatable");
  lua_pop(lua, 1);
  for (const char* library : kLibraries) wrap_library(lua, library, values);
  lua_pushglobaltable(lua);
  for (const char* name : kFunctions) wrap_field(lua, name, call_library, values);
  for (const char* name : kIterators) wrap_field(lua, name, iterate, values);
  lua_pop(lua, 1);
}

int push_unknown_value(lua_State* lua) {
  lua_newuserdatauv(lua, 0, 0);
  luaL_setmetatable(lua, kName);
  return 1;
}

bool is_unknown_value(lua_State* lua, int index) {
  return luaL_testudata(lua, index, kName) != nullptr;
}

}  // namespace tcplab::app
