#include "scenarios/engine/script/lua_binding.hh"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/nearest.hh"

namespace tcplab::engine {

namespace {

constexpr double kLongestSpan = 86'400.0 * 365;  // seconds

/// Runs the LuaFunction in the closure's upvalue. What it throws becomes a Lua error only after
/// the C++ exception is gone.
int dispatch(lua_State* lua) {
  const auto function = reinterpret_cast<LuaFunction>(lua_touserdata(lua, lua_upvalueindex(1)));
  int results = 0;
  bool failed = false;
  try {
    LuaCall call(lua, true);
    results = function(call);
  } catch (const std::exception& error) {
    call_failed(lua, error);
    failed = true;
  }
  if (failed) return lua_error(lua);
  return results == kSuspend ? lua_yield(lua, 0) : results;
}

// The upvalues of index_object.
constexpr int kMethods = 1;
constexpr int kFields = 2;
constexpr int kName = 3;

void add_words(lua_State* lua, int table, std::set<std::string>& words) {
  for (lua_pushnil(lua); lua_next(lua, table) != 0; lua_pop(lua, 1))
    if (lua_type(lua, -2) == LUA_TSTRING) words.insert(lua_tostring(lua, -2));
}

/// Pushes "a host has no verb `explode`; did you mean unplug, plug or rename?".
void push_unknown(lua_State* lua) {
  const std::string said = luaL_tolstring(lua, 2, nullptr);
  lua_pop(lua, 1);
  const std::string name = lua_tostring(lua, lua_upvalueindex(kName));
  std::set<std::string> words;
  add_words(lua, lua_upvalueindex(kMethods), words);
  const std::size_t verbs = words.size();
  add_words(lua, lua_upvalueindex(kFields), words);
  const std::string article = name == "lab" ? "" : name.starts_with('e') ? "an " : "a ";
  const std::string what = words.size() == verbs ? " has no verb `" : " has no verb or field `";
  const std::string text = article + name + what + said + "`; " + nearest_words(words, said);
  lua_pushlstring(lua, text.data(), text.size());
}

/// __index of every class. Upvalues: its methods, its fields, its name.
int index_object(lua_State* lua) {
  lua_settop(lua, 2);
  lua_pushvalue(lua, 2);
  if (lua_gettable(lua, lua_upvalueindex(kMethods)) != LUA_TNIL) return 1;
  lua_pushvalue(lua, 2);
  if (lua_gettable(lua, lua_upvalueindex(kFields)) != LUA_TNIL) {
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 1);
    return 1;
  }
  luaL_where(lua, 1);
  push_unknown(lua);
  lua_concat(lua, 2);
  return lua_error(lua);  // nothing here has a destructor
}

}  // namespace

Experiment& LuaCall::experiment() const {
  return **static_cast<Experiment**>(lua_getextraspace(lua));
}

int LuaCall::line() const {
  lua_Debug activation;
  for (int level = 1; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "l", &activation);
    if (activation.currentline > 0) return activation.currentline;
  }
  return 0;
}

void LuaCall::wrong_type(int index, const char* what, const char* wanted) const {
  const std::string where =
      index == 0 ? "call it with a colon (object:verb()):" : "argument " + std::to_string(index);
  throw base::UsageError(where + " (" + what + ") must be a " + wanted + ", not " +
                         luaL_typename(lua, absolute(index)));
}

std::string LuaCall::text(int index, const char* what) const {
  if (lua_type(lua, absolute(index)) != LUA_TSTRING) wrong_type(index, what, "text");
  std::size_t size = 0;
  const char* bytes = lua_tolstring(lua, absolute(index), &size);
  return {bytes, size};
}

double LuaCall::number(int index, const char* what) const {
  if (lua_type(lua, absolute(index)) != LUA_TNUMBER) wrong_type(index, what, "number");
  return lua_tonumber(lua, absolute(index));
}

std::int64_t LuaCall::whole(int index, const char* what, std::int64_t least,
                            std::int64_t most) const {
  number(index, what);
  int is_whole = 0;
  const lua_Integer value = lua_tointegerx(lua, absolute(index), &is_whole);
  if (is_whole == 0 || value < least || value > most)
    throw base::UsageError("argument " + std::to_string(index) + " (" + what +
                           ") must be a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most));
  return value;
}

base::nanoseconds LuaCall::span(int index, const char* what) const {
  const double seconds = number(index, what);
  if (!(seconds >= 0 && seconds <= kLongestSpan)) {
    throw base::UsageError("argument " + std::to_string(index) + " (" + what +
                           ") must be a number of seconds from 0 to a year");
  }
  return base::nanoseconds(std::llround(seconds * 1e9));
}

std::optional<std::string> LuaCall::option_text(int index, const char* field) const {
  if (!has(index)) return std::nullopt;
  std::optional<std::string> value;
  const int type = lua_getfield(lua, absolute(index), field);
  if (type == LUA_TSTRING) value = lua_tostring(lua, -1);
  lua_pop(lua, 1);
  if (type != LUA_TNIL && type != LUA_TSTRING)
    throw base::UsageError(std::string("option `") + field + "` must be a text");
  return value;
}

std::optional<double> LuaCall::option_number(int index, const char* field) const {
  if (!has(index)) return std::nullopt;
  std::optional<double> value;
  const int type = lua_getfield(lua, absolute(index), field);
  if (type == LUA_TNUMBER) value = lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  if (type != LUA_TNIL && type != LUA_TNUMBER)
    throw base::UsageError(std::string("option `") + field + "` must be a number");
  return value;
}

void LuaCall::allow_options(int index, const std::vector<const char*>& fields) const {
  if (!has(index)) return;
  if (!lua_istable(lua, absolute(index))) wrong_type(index, "options", "table");
  for (lua_pushnil(lua); lua_next(lua, absolute(index)) != 0; lua_pop(lua, 1)) {
    const char* key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
    bool known = false;
    for (const char* field : fields) known = known || std::strcmp(field, key) == 0;
    if (known) continue;
    std::string message = std::string("there is no option `") + key + "` here; there is";
    for (const char* field : fields) message += std::string(" `") + field + "`";
    throw base::UsageError(message);
  }
}

std::string LuaCall::word(int index) const {
  const int type = lua_type(lua, absolute(index));
  if (type == LUA_TNUMBER) {
    lua_pushvalue(lua, absolute(index));  // tostring in place would change the argument
    std::string text = lua_tostring(lua, -1);
    lua_pop(lua, 1);
    return text;
  }
  if (type != LUA_TSTRING) wrong_type(index, "a word of the command", "text, number or host");
  return lua_tostring(lua, absolute(index));
}

int LuaCall::push(double value) const {
  lua_pushnumber(lua, value);
  return 1;
}

int LuaCall::push_integer(lua_Integer value) const {
  lua_pushinteger(lua, value);
  return 1;
}

int LuaCall::push(const std::string& value) const {
  lua_pushlstring(lua, value.data(), value.size());
  return 1;
}

int LuaCall::push(bool value) const {
  lua_pushboolean(lua, value ? 1 : 0);
  return 1;
}

int LuaCall::push_self() const {
  lua_pushvalue(lua, 1);
  return 1;
}

void register_class(lua_State* lua, const char* name, const std::vector<LuaMethod>& methods,
                    lua_CFunction collect) {
  luaL_newmetatable(lua, name);
  lua_newtable(lua);
  for (const LuaMethod& method : methods) {
    lua_pushlightuserdata(lua, reinterpret_cast<void*>(method.function));
    lua_pushcclosure(lua, dispatch, 1);
    lua_setfield(lua, -2, method.name);
  }
  lua_newtable(lua);
  lua_pushstring(lua, name);
  lua_pushcclosure(lua, index_object, 3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, collect);
  lua_setfield(lua, -2, "__gc");
  lua_pushstring(lua, name);
  lua_setfield(lua, -2, "__metatable");  // out of the script's reach
  lua_pop(lua, 1);
}

void push_methods(lua_State* lua, const char* name) {
  luaL_getmetatable(lua, name);
  lua_getfield(lua, -1, "__index");
  lua_getupvalue(lua, -1, kMethods);
  lua_replace(lua, -3);
  lua_pop(lua, 1);
}

void register_fields(lua_State* lua, const char* name, const std::vector<LuaMethod>& fields) {
  luaL_getmetatable(lua, name);
  lua_getfield(lua, -1, "__index");
  lua_getupvalue(lua, -1, kFields);
  for (const LuaMethod& field : fields) {
    lua_pushlightuserdata(lua, reinterpret_cast<void*>(field.function));
    lua_pushcclosure(lua, dispatch, 1);
    lua_setfield(lua, -2, field.name);
  }
  lua_pop(lua, 3);
}

void push_json(lua_State* lua, const nlohmann::json& value) {
  if (value.is_boolean()) {
    lua_pushboolean(lua, value.get<bool>() ? 1 : 0);
  } else if (value.is_number_integer()) {
    lua_pushinteger(lua, value.get<lua_Integer>());
  } else if (value.is_number()) {
    lua_pushnumber(lua, value.get<double>());
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    lua_pushlstring(lua, text.data(), text.size());
  } else if (value.is_object() || value.is_array()) {
    lua_newtable(lua);
    for (const auto& [key, member] : value.items()) {
      push_json(lua, member);
      if (value.is_object()) {
        lua_setfield(lua, -2, key.c_str());
      } else {
        lua_seti(lua, -2, std::stoll(key) + 1);
      }
    }
  } else {
    lua_pushnil(lua);
  }
}

}  // namespace tcplab::engine
