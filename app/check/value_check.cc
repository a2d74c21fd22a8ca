#include "app/check/value_check.hh"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/check/unknown_value.hh"
#include "app/script/lua_binding.hh"
#include "base/error.hh"
#include "base/nearest.hh"

namespace tcplab::app {

namespace {

constexpr std::string_view kList = "[]";
constexpr std::string_view kMap = "table<";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Lua's types in the words of the documentation.
std::string name_of(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TNIL:
    case LUA_TNONE:
      return "nil";
    case LUA_TSTRING:
      return "a text";
    case LUA_TUSERDATA:
      if (luaL_getmetafield(lua, index, "__metatable") != LUA_TNIL) {
        const std::string name = stable_text(lua, -1);
        lua_pop(lua, 1);
        return "a " + name;
      }
      return "an object";
    default:
      return std::string("a ") + luaL_typename(lua, index);
  }
}

std::string wanted(std::string_view type) {
  if (type == "string") return "a text";
  if (type == "integer") return "a whole number";
  if (type == "string[]") return "a list of texts";
  if (type.ends_with(kList)) return "a list";
  if (type.starts_with("fun")) return "a function";
  if (type.starts_with('"') || (type[0] >= '0' && type[0] <= '9')) return std::string(type);
  return "a " + std::string(type.substr(0, type.find('<')));
}

std::string wanted_of_all(const std::vector<std::string_view>& types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i)
    text += (i == 0 ? "" : i + 1 == types.size() ? " or " : ", ") + wanted(types[i]);
  return text;
}

bool is_literal(lua_State* lua, int index, std::string_view type) {
  if (lua_type(lua, index) == LUA_TNUMBER && !type.starts_with('"')) {
    lua_pushvalue(lua, index);  // lua_tostring() changes a number
    const bool same = type == lua_tostring(lua, -1);
    lua_pop(lua, 1);
    return same;
  }
  return lua_type(lua, index) == LUA_TSTRING && type.size() > 2 && type.starts_with('"') &&
         type.substr(1, type.size() - 2) == lua_tostring(lua, index);
}

/// Whether the value has a type that is no name of the interface.
bool has_plain_type(lua_State* lua, int index, std::string_view type) {
  const int has = lua_type(lua, index);
  if (type == "any") return true;
  if (type == "string") return has == LUA_TSTRING;
  if (type == "number") return has == LUA_TNUMBER;
  if (type == "integer")
    return has == LUA_TNUMBER && std::floor(lua_tonumber(lua, index)) == lua_tonumber(lua, index);
  if (type == "boolean") return has == LUA_TBOOLEAN;
  if (type == "nil") return has == LUA_TNIL;
  if (type == "table") return has == LUA_TTABLE;
  if (type.starts_with("fun")) return has == LUA_TFUNCTION;
  return is_literal(lua, index, type);
}

/// Whether the table, or a table in it, has a value that only a run knows.
bool has_unknown(lua_State* lua, int index) {
  luaL_checkstack(lua, 4, "a table in a table");
  index = lua_absindex(lua, index);
  for (lua_pushnil(lua); lua_next(lua, index) != 0; lua_pop(lua, 1)) {
    if (!is_unknown_value(lua, -1) && !(lua_istable(lua, -1) && has_unknown(lua, -1))) continue;
    lua_pop(lua, 2);
    return true;
  }
  return false;
}

/// Names the value's type; if certain texts are right, a wrong text itself.
std::string must_be(lua_State* lua, int index, const std::string& what) {
  const bool is_about_texts = what.find('"') != std::string::npos;
  const std::string seen = is_about_texts && lua_type(lua, index) == LUA_TSTRING
                               ? '"' + std::string(lua_tostring(lua, index)) + '"'
                               : name_of(lua, index);
  return "must be " + what + ", not " + seen;
}

}  // namespace

std::vector<std::string_view> split_type(std::string_view type, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (c == '"') is_quoted = !is_quoted;
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c != separator || depth != 0 || is_quoted) continue;
    parts.push_back(trimmed(type.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trimmed(type.substr(begin)));
  return parts;
}

std::string ValueCheck::complaint(lua_State* lua, int index, std::string_view type) const {
  index = lua_absindex(lua, index);
  if (is_unknown_value(lua, index)) return "";
  const auto types = split_type(type, '|');
  if (types.size() == 1) return complaint_of_one(lua, index, types.front());
  for (const std::string_view one : types)
    if (complaint_of_one(lua, index, one).empty()) return "";
  // Of several types, the one that names a set of words says most about a text, and the one
  // that names a set of options about a table.
  for (const std::string_view one : types)
    if (lua_type(lua, index) == LUA_TSTRING && interface_.find_words(one) != nullptr)
      return complaint_of_one(lua, index, one);
  for (const std::string_view one : types)
    if (lua_istable(lua, index) && interface_.find_table(one) != nullptr)
      return complaint_of_one(lua, index, one);
  return must_be(lua, index, wanted_of_all(types));
}

std::string ValueCheck::complaint(lua_State* lua, int index, const LuaParameter& parameter) const {
  std::string wrong = complaint(lua, index, parameter.type);
  if (!wrong.empty() || lua_type(lua, index) != LUA_TNUMBER) return wrong;
  const std::string wanted = wrong_range(parameter, lua_tonumber(lua, index));
  if (wanted.empty()) return "";
  return "must be " + wanted + ", not " + stable_text(lua, index);
}

std::string ValueCheck::complaint_of_one(lua_State* lua, int index, std::string_view type) const {
  if (type.ends_with(kList)) {
    std::string_view element = type.substr(0, type.size() - kList.size());
    if (element.starts_with('(')) element = element.substr(1, element.size() - 2);
    return complaint_of_elements(lua, index, "integer", element);
  }
  if (type.starts_with(kMap)) {
    const auto parts = split_type(type.substr(kMap.size(), type.size() - kMap.size() - 1), ',');
    return complaint_of_elements(lua, index, parts.front(), parts.back());
  }
  if (interface_.find_class(type) != nullptr) {
    const bool is_one = luaL_testudata(lua, index, std::string(type).c_str()) != nullptr;
    return is_one ? "" : must_be(lua, index, wanted(type));
  }
  if (const LuaWords* words = interface_.find_words(type))
    return complaint_of_words(lua, index, *words);
  if (const LuaTable* table = interface_.find_table(type))
    return complaint_of_table(lua, index, *table);
  return has_plain_type(lua, index, type) ? "" : must_be(lua, index, wanted(type));
}

std::string ValueCheck::complaint_of_elements(lua_State* lua, int index, std::string_view key,
                                              std::string_view value) const {
  if (!lua_istable(lua, index)) return must_be(lua, index, "a table");
  for (lua_pushnil(lua); lua_next(lua, index) != 0; lua_pop(lua, 1)) {
    const std::string wrong_key = complaint(lua, -2, key);
    const std::string name = stable_text(lua, -2);
    const std::string wrong =
        wrong_key.empty() ? complaint(lua, -1, value) : "is no element here: a name " + wrong_key;
    if (wrong.empty()) continue;
    lua_pop(lua, 2);
    return "[" + name + "] " + wrong;
  }
  return "";
}

std::string ValueCheck::complaint_of_table(lua_State* lua, int index, const LuaTable& table) const {
  if (!lua_istable(lua, index)) return must_be(lua, index, "a table");
  const std::vector<std::string> names = field_names(table);
  const std::set<std::string> known(names.begin(), names.end());
  const bool is_open = known.contains("[string]");
  const bool is_list = known.contains("[integer]");
  for (lua_pushnil(lua); lua_next(lua, index) != 0; lua_pop(lua, 1)) {
    const std::string key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
    if (is_open || known.contains(key) || (is_list && lua_isinteger(lua, -2) != 0)) continue;
    lua_pop(lua, 2);
    return "has no option `" + key + "`; " + base::nearest_words(known, key);
  }
  for (const LuaTable* part = &table; part != nullptr; part = part->base) {
    for (const LuaParameter& field : part->fields) {
      if (is_open || *field.name == '[') continue;
      const std::string name(plain_name(field));
      const bool is_optional = name != field.name;
      lua_pushstring(lua, name.c_str());
      lua_rawget(lua, index);
      const bool is_missing = lua_isnil(lua, -1);
      std::string wrong;
      if (!is_missing) wrong = complaint(lua, lua_gettop(lua), field);
      lua_pop(lua, 1);
      if (is_missing && !is_optional)
        return "lacks the option `" + name + "`, " + wanted(field.type);
      if (!wrong.empty()) return "has a wrong option: `" + name + "` " + wrong;
    }
  }
  return complaint_of_whole(lua, index, table);
}

std::string ValueCheck::complaint_of_whole(lua_State* lua, int index, const LuaTable& table) {
  if (has_unknown(lua, index)) return "";
  const int top = lua_gettop(lua);
  std::string wrong;
  for (const LuaTable* part = &table; part != nullptr && wrong.empty(); part = part->base) {
    if (part->check == nullptr) continue;
    lua_pushvalue(lua, index);
    try {
      part->check(lua);
    } catch (const base::UsageError& error) {
      wrong = std::string("is wrong: ") + error.what();
    }
    lua_settop(lua, top);
  }
  return wrong;
}

std::string ValueCheck::complaint_of_words(lua_State* lua, int index, const LuaWords& words) const {
  if (lua_type(lua, index) != LUA_TSTRING) return must_be(lua, index, "a text");
  const std::string text = lua_tostring(lua, index);
  const bool is_known = std::ranges::find(words.words, text) != words.words.end();
  if (!is_known && !words.has_others)
    return "is \"" + text + "\"; " +
           base::nearest_words({words.words.begin(), words.words.end()}, text);
  try {
    if (!is_known && words.check != nullptr) words.check(text);
  } catch (const base::UsageError& error) {
    return std::string("is wrong: ") + error.what();
  }
  return on_words ? on_words(words, text) : "";
}

}  // namespace tcplab::app
