#include "app/script/lua_binding.hh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "app/script/script_error.hh"
#include "base/error.hh"
#include "base/nearest.hh"

namespace tcplab::app {

namespace {

LuaOwner& owner_of(lua_State* lua) { return **static_cast<LuaOwner**>(lua_getextraspace(lua)); }

/// Leaves "FILE:LINE: what" on the Lua stack.
void push_error(lua_State* lua, const char* what) {
  luaL_where(lua, 1);
  lua_pushstring(lua, what);
  lua_concat(lua, 2);
}

/// Runs the LuaFunction in the closure's upvalue. An exception becomes a Lua error only after it
/// has ended.
int dispatch(lua_State* lua) {
  const auto function = reinterpret_cast<LuaFunction>(lua_touserdata(lua, lua_upvalueindex(1)));
  int results = 0;
  bool failed = false;
  try {
    LuaCall call(lua, true);
    results = function(call);
  } catch (const std::exception& error) {
    owner_of(lua).call_failed(error);
    push_error(lua, error.what());
    failed = true;
  }
  if (failed) return lua_error(lua);
  return results == kSuspend ? lua_yield(lua, 0) : results;
}

void push_function(lua_State* lua, LuaFunction function) {
  lua_pushlightuserdata(lua, reinterpret_cast<void*>(function));
  lua_pushcclosure(lua, dispatch, 1);
}

// The upvalues of index_object.
constexpr int kMethods = 1;
constexpr int kFields = 2;
constexpr int kUnknown = 3;

/// __index of every class. Upvalues: its methods and fields, and the function for other names.
int index_object(lua_State* lua) {
  lua_settop(lua, 2);
  lua_pushvalue(lua, 2);
  if (lua_gettable(lua, lua_upvalueindex(kMethods)) != LUA_TNIL) return 1;
  lua_pushvalue(lua, 2);
  const bool is_field = lua_gettable(lua, lua_upvalueindex(kFields)) != LUA_TNIL;
  if (!is_field) lua_pushvalue(lua, lua_upvalueindex(kUnknown));
  lua_pushvalue(lua, 1);
  lua_pushvalue(lua, 2);
  lua_call(lua, 2, 1);
  return 1;
}

/// __tostring of a class with LuaClass::text. Upvalue: the class.
int text_of_object(lua_State* lua) {
  const auto& registered = *static_cast<const LuaClass*>(lua_touserdata(lua, lua_upvalueindex(1)));
  const std::string text = registered.text(luaL_checkudata(lua, 1, registered.name));
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

/// Refuses a name that a class does not have. Upvalue: the class, which is never destroyed.
int refuse_name(lua_State* lua) {
  const auto& registered = *static_cast<const LuaClass*>(lua_touserdata(lua, lua_upvalueindex(1)));
  luaL_where(lua, 2);
  const std::string text = unknown_name(registered, stable_text(lua, 2));
  lua_pushlstring(lua, text.data(), text.size());
  lua_concat(lua, 2);
  return lua_error(lua);
}

}  // namespace

void set_owner(lua_State* lua, LuaOwner& owner) {
  *static_cast<LuaOwner**>(lua_getextraspace(lua)) = &owner;
}

LuaOwner& LuaCall::owner() const { return owner_of(lua); }

int LuaCall::line() const {
  lua_getfield(lua, LUA_REGISTRYINDEX, kScenarioFile);
  const char* scenario = lua_tostring(lua, -1);
  lua_pop(lua, 1);  // the registry keeps it
  int nearest = 0;
  lua_Debug activation;
  for (int level = 1; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "Sl", &activation);
    if (activation.currentline <= 0) continue;
    if (scenario == nullptr || std::strcmp(activation.source, scenario) == 0)
      return activation.currentline;
    if (nearest == 0) nearest = activation.currentline;
  }
  return nearest;
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

void refuse_option(const std::string& option, const std::string& what) {
  throw base::UsageError("option `" + option + "` " + what);
}

bool LuaCall::has_option(int index, const char* field) const {
  if (!has(index)) return false;
  const int type = push_field(index, field);
  lua_pop(lua, 1);
  return type != LUA_TNIL;
}

std::optional<std::string> LuaCall::option_text(int index, const char* field) const {
  if (!has(index)) return std::nullopt;
  std::optional<std::string> value;
  const int type = lua_getfield(lua, absolute(index), field);
  std::size_t size = 0;  // a text may have zero bytes
  if (const char* bytes = type == LUA_TSTRING ? lua_tolstring(lua, -1, &size) : nullptr)
    value.emplace(bytes, size);
  lua_pop(lua, 1);
  if (type != LUA_TNIL && type != LUA_TSTRING) refuse_option(field, "must be a text");
  return value;
}

bool LuaCall::option_flag(int index, const char* field, bool usual) const {
  if (!has(index)) return usual;
  const int type = lua_getfield(lua, absolute(index), field);
  const bool value = type == LUA_TNIL ? usual : lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN) refuse_option(field, "is true or false");
  return value;
}

std::optional<double> LuaCall::option_number(int index, const char* field) const {
  if (!has(index)) return std::nullopt;
  std::optional<double> value;
  const int type = lua_getfield(lua, absolute(index), field);
  if (type == LUA_TNUMBER) value = lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  if (type != LUA_TNIL && type != LUA_TNUMBER) refuse_option(field, "must be a number");
  return value;
}

std::optional<std::string> LuaCall::option_word(int index, const char* field,
                                                const std::vector<std::string>& words) const {
  auto word = option_text(index, field);
  if (!word || std::ranges::find(words, *word) != words.end()) return word;
  std::string message = std::string("option `") + field + "` is ";
  for (std::size_t i = 0; i < words.size(); ++i)
    message += (i == 0 ? "\"" : i + 1 == words.size() ? " or \"" : ", \"") + words[i] + "\"";
  throw base::UsageError(message);
}

void LuaCall::allow_options(int index, const LuaTable& options) const {
  if (!has(index)) return;
  if (!lua_istable(lua, absolute(index))) wrong_type(index, "options", "table");
  const std::vector<std::string> known = field_names(options);
  for (lua_pushnil(lua); lua_next(lua, absolute(index)) != 0; lua_pop(lua, 1)) {
    const std::string key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
    if (std::ranges::find(known, key) != known.end()) continue;
    if (lua_isinteger(lua, -2) != 0 && std::ranges::find(known, "[integer]") != known.end())
      continue;
    std::string message = "there is no option `" + key + "` here; there is";
    for (const std::string& field : known) message += " `" + field + "`";
    throw base::UsageError(message);
  }
  for (const LuaTable* part = &options; part != nullptr; part = part->base) {
    for (const LuaParameter& field : part->fields) {
      const std::string name(plain_name(field));
      const bool is_number = push_field(index, name.c_str()) == LUA_TNUMBER;
      const std::string wanted = is_number ? wrong_range(field, lua_tonumber(lua, -1)) : "";
      lua_pop(lua, 1);
      if (!wanted.empty()) refuse_option(name, "is " + wanted);
    }
    if (part->check == nullptr) continue;
    lua_pushvalue(lua, absolute(index));
    part->check(lua);
    lua_pop(lua, 1);
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

std::string unknown_name(const LuaClass& registered, const std::string& said) {
  std::string name = registered.name;
  std::ranges::replace(name, '_', ' ');
  std::set<std::string> words;
  for (const LuaVerb& verb : registered.verbs) words.insert(verb.name);
  for (const LuaField& field : registered.fields) words.insert(field.name);
  const std::string article = name == "lab" ? "" : name.starts_with('e') ? "an " : "a ";
  const std::string what = registered.fields.empty() ? " has no verb `" : " has no verb or field `";
  return article + name + what + said + "`; " + base::nearest_words(words, said);
}

void register_class(lua_State* lua, const LuaClass& registered, const ClassFunctions& functions) {
  luaL_newmetatable(lua, registered.name);
  lua_newtable(lua);  // in the order of index_object's upvalues
  for (const LuaVerb& verb : registered.verbs) {
    functions.push_verb(verb);
    lua_setfield(lua, -2, verb.name);
  }
  lua_newtable(lua);
  for (const LuaField& field : registered.fields) {
    functions.push_field(field);
    lua_setfield(lua, -2, field.name);
  }
  functions.push_unknown();
  lua_pushcclosure(lua, index_object, 3);
  lua_setfield(lua, -2, "__index");
  if (functions.push_text) {
    functions.push_text();
    lua_setfield(lua, -2, "__tostring");
  }
  lua_pushcfunction(lua, functions.collect != nullptr ? functions.collect : registered.collect);
  lua_setfield(lua, -2, "__gc");
  lua_pushstring(lua, registered.name);
  lua_setfield(lua, -2, "__metatable");  // out of the script's reach
  lua_pop(lua, 1);
}

void register_class(lua_State* lua, const LuaClass& registered) {
  const auto push_verb = [lua](const LuaVerb& verb) { push_function(lua, verb.function); };
  const auto push_field = [lua](const LuaField& field) { push_function(lua, field.function); };
  const auto push_unknown = [lua, &registered] {
    lua_pushlightuserdata(lua, const_cast<LuaClass*>(&registered));
    lua_pushcclosure(lua, refuse_name, 1);
  };
  ClassFunctions functions{push_verb, push_field, push_unknown, nullptr, registered.collect};
  if (registered.text != nullptr)
    functions.push_text = [lua, &registered] {
      lua_pushlightuserdata(lua, const_cast<LuaClass*>(&registered));
      lua_pushcclosure(lua, text_of_object, 1);
    };
  register_class(lua, registered, functions);
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

}  // namespace tcplab::app
