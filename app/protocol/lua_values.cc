#include "app/protocol/lua_values.hh"

#include "app/script/lua_binding.hh"

namespace tcplab::app {

using nlohmann::ordered_json;

namespace {

constexpr int kDeepestValue = 20;

std::string text_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* bytes = lua_tolstring(lua, index, &size);
  return {bytes, size};
}

class ValueReader {
public:
  ValueReader(lua_State* lua, Handles& handles, const std::string& expression)
      : lua_(lua), handles_(handles), expression_(expression) {}

  ordered_json read(int index, int depth) {
    switch (lua_type(lua_, index)) {
      case LUA_TNIL:
        return nullptr;
      case LUA_TBOOLEAN:
        return lua_toboolean(lua_, index) != 0;
      case LUA_TNUMBER:
        if (lua_isinteger(lua_, index) != 0) return lua_tointeger(lua_, index);
        return lua_tonumber(lua_, index);
      case LUA_TSTRING:
        return text_at(lua_, index);
      case LUA_TTABLE:
        if (depth < kDeepestValue) return table(lua_absindex(lua_, index), depth);
        break;
      default:
        if (Handles::is_object(lua_, index)) return handles_.handle_of(lua_, index, expression_);
    }
    return stable_text(lua_, index);
  }

private:
  ordered_json table(int index, int depth) {
    luaL_checkstack(lua_, 4, "a value");
    const std::size_t length = lua_rawlen(lua_, index);
    if (size_of_table(index) != length) return object(index, depth);
    ordered_json list = ordered_json::array();
    for (std::size_t i = 1; i <= length; ++i) {
      lua_rawgeti(lua_, index, static_cast<lua_Integer>(i));
      list.push_back(read(-1, depth + 1));
      lua_pop(lua_, 1);
    }
    return list;
  }

  std::size_t size_of_table(int index) {
    std::size_t size = 0;
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) ++size;
    return size;
  }

  ordered_json object(int index, int depth) {
    ordered_json members = ordered_json::object();
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1))
      members[key(-2)] = read(-1, depth + 1);
    return members;
  }

  /// lua_tolstring() in place would change the key, and confuse lua_next().
  std::string key(int index) {
    if (lua_type(lua_, index) == LUA_TSTRING) return text_at(lua_, index);
    return stable_text(lua_, index);
  }

  lua_State* lua_;
  Handles& handles_;
  const std::string& expression_;
};

}  // namespace

ordered_json json_of_value(lua_State* lua, int index, Handles& handles,
                           const std::string& expression) {
  return ValueReader(lua, handles, expression).read(lua_absindex(lua, index), 0);
}

}  // namespace tcplab::app
