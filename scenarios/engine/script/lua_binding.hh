// A thin typed binding to Lua's C API: arguments that are read with a clear error, objects as
// userdata, functions that may suspend the script. An exception that leaves a bound function
// becomes a Lua error with the script's line before it.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <new>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"

namespace tcplab::engine {

class Experiment;

/// What a bound function answers: how many values it has pushed, or that the script waits.
inline constexpr int kSuspend = -1;

/// The arguments of one call from Lua; 1 is the first after the object for methods (`a:b(1)`).
class LuaCall {
public:
  LuaCall(lua_State* thread, bool is_method) : lua(thread), offset_(is_method ? 1 : 0) {}

  Experiment& experiment() const;
  int count() const { return lua_gettop(lua) - offset_; }
  bool has(int index) const { return !lua_isnoneornil(lua, index + offset_); }
  int line() const;  // of the script

  // Each throws base::UsageError: "argument 2 (port) must be a number, not nil".
  std::string text(int index, const char* what) const;
  double number(int index, const char* what) const;
  std::int64_t whole(int index, const char* what, std::int64_t least, std::int64_t most) const;
  base::nanoseconds span(int index, const char* what) const;  // from seconds
  /// A field of the options table at `index`; nothing where either is missing.
  std::optional<std::string> option_text(int index, const char* field) const;
  std::optional<double> option_number(int index, const char* field) const;
  /// Refuses a table at `index` that has any other field than these.
  void allow_options(int index, const std::vector<const char*>& fields) const;

  /// The object that the method was called on, or argument `index`.
  template <typename T>
  T& self() const {
    return object<T>(0, "the object before the colon");
  }
  template <typename T>
  T& object(int index, const char* what) const {
    if (T* found = find<T>(index)) return *found;
    wrong_type(index, what, T::kLuaName);
  }
  template <typename T>
  T* find(int index) const {
    return static_cast<T*>(luaL_testudata(lua, index + offset_, T::kLuaName));
  }

  /// Text of any argument that can be a word of a command line: a number, a text.
  std::string word(int index) const;

  int push(double value) const;
  int push_integer(lua_Integer value) const;
  int push(const std::string& value) const;
  int push(bool value) const;
  int push_nothing() const { return 0; }
  int push_self() const;  // so that calls can be chained

  lua_State* lua;

private:
  [[noreturn]] void wrong_type(int index, const char* what, const char* wanted) const;
  int absolute(int index) const { return index + offset_; }

  int offset_;
};

using LuaFunction = int (*)(LuaCall&);

struct LuaMethod {
  const char* name;
  LuaFunction function;
};

/// Makes T's metatable with these methods; T names itself in T::kLuaName. A name that is neither
/// method nor field is refused, with the nearest that there are.
void register_class(lua_State* lua, const char* name, const std::vector<LuaMethod>& methods,
                    lua_CFunction collect);

template <typename T>
void register_class(lua_State* lua, const std::vector<LuaMethod>& methods) {
  register_class(lua, T::kLuaName, methods, [](lua_State* state) {
    static_cast<T*>(lua_touserdata(state, 1))->~T();
    return 0;
  });
}

/// Gives a registered class fields, too: read anew, each time, by a function that pushes one value.
void register_fields(lua_State* lua, const char* name, const std::vector<LuaMethod>& fields);

template <typename T>
void register_fields(lua_State* lua, const std::vector<LuaMethod>& fields) {
  register_fields(lua, T::kLuaName, fields);
}

/// Pushes the table of a registered class's methods, for what is the same for every object.
void push_methods(lua_State* lua, const char* name);

/// Pushes an object of a registered class; Lua owns it.
template <typename T>
int push_object(lua_State* lua, T value) {
  new (lua_newuserdatauv(lua, sizeof(T), 0)) T(std::move(value));
  luaL_setmetatable(lua, T::kLuaName);
  return 1;
}

/// Pushes a JSON value as Lua's own.
void push_json(lua_State* lua, const nlohmann::json& value);

}  // namespace tcplab::engine
