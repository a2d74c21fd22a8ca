// A thin typed binding to Lua's C API: it reads arguments and reports wrong ones clearly, wraps
// objects as userdata, and lets functions suspend the script. An exception that leaves a bound
// function becomes a Lua error that starts with the script's line. Knows nothing of the lab.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <lua.hpp>
#include <new>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/script/lua_interface.hh"
#include "base/clock.hh"

namespace tcplab::app {

class LuaOwner;

/// A bound function returns how many values it pushed, or this: the script waits.
inline constexpr int kSuspend = -1;

/// The arguments of one call from Lua. Of a method (`a:b(1)`), argument 1 follows the object.
class LuaCall {
public:
  LuaCall(lua_State* thread, bool is_method) : lua(thread), offset_(is_method ? 1 : 0) {}

  LuaOwner& owner() const;
  int count() const { return lua_gettop(lua) - offset_; }
  bool has(int index) const { return !lua_isnoneornil(lua, index + offset_); }
  /// Returns the line of the scenario that runs; in an included file, the line that has called it.
  /// 0 if it is unknown.
  int line() const;

  // Each throws base::UsageError: "argument 2 (port) must be a number, not nil".
  std::string text(int index, const char* what) const;
  double number(int index, const char* what) const;
  std::int64_t whole(int index, const char* what, std::int64_t least, std::int64_t most) const;
  base::nanoseconds span(int index, const char* what) const;  // from seconds
  /// Returns whether the options table at `index` is there and has that field.
  bool has_option(int index, const char* field) const;
  /// A field of the options table at `index`; empty if either is missing.
  std::optional<std::string> option_text(int index, const char* field) const;
  std::optional<double> option_number(int index, const char* field) const;
  /// The same for true or false; `usual` if it is missing.
  bool option_flag(int index, const char* field, bool usual) const;
  /// The same for one of these words.
  std::optional<std::string> option_word(int index, const char* field,
                                         const std::vector<std::string>& words) const;
  /// Pushes a field of the table at `index`, and returns its type.
  int push_field(int index, const char* field) const {
    return lua_getfield(lua, index + offset_, field);
  }
  /// Refuses a table at `index` that has other fields than `options`, a number out of range, or
  /// fields that do not go together.
  void allow_options(int index, const LuaTable& options) const;

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

  /// An argument as a word of a command line: a text, or a number.
  std::string word(int index) const;

  int push(double value) const;
  int push_integer(lua_Integer value) const;
  int push(const std::string& value) const;
  int push(bool value) const;
  int push_nothing() const { return 0; }
  int push_self() const;  // for chains of calls

  lua_State* lua;

private:
  [[noreturn]] void wrong_type(int index, const char* what, const char* wanted) const;
  int absolute(int index) const { return index + offset_; }

  int offset_;
};

/// The owner of a Lua state: the run for which bound functions work.
class LuaOwner {
public:
  virtual ~LuaOwner() = default;
  /// A bound function has thrown; called while the exception is handled.
  virtual void call_failed(const std::exception& error) = 0;
};

/// Bound functions of that state find `owner` by LuaCall::owner(). It must outlive the state's use.
void set_owner(lua_State* lua, LuaOwner& owner);

/// Throws base::UsageError. Its text is "option `<option>` <what>".
[[noreturn]] void refuse_option(const std::string& option, const std::string& what);

/// Makes the metatable of a class. A name that is neither verb nor field is refused, with the
/// nearest names.
void register_class(lua_State* lua, const LuaClass& registered);

/// What a class is made of in Lua. Each member pushes one function.
struct ClassFunctions {
  /// Calls the verb.
  std::function<void(const LuaVerb& verb)> push_verb;
  /// Returns the value of the field of its argument.
  std::function<void(const LuaField& field)> push_field;
  /// Is called for a name that is neither verb nor field, with the object and the name.
  std::function<void()> push_unknown;
  /// Returns the text of its argument. May be empty: see LuaClass::text.
  std::function<void()> push_text;
  lua_CFunction collect = nullptr;  // the class's by default
};

/// The same with other functions behind the names.
void register_class(lua_State* lua, const LuaClass& registered, const ClassFunctions& functions);

/// Returns "a host has no verb `explode`; did you mean unplug or plug?".
std::string unknown_name(const LuaClass& registered, const std::string& said);

template <typename T>
constexpr auto text_function() -> std::string (*)(const void*) {
  if constexpr (requires(const T& object) { object.text(); })
    return [](const void* object) { return static_cast<const T*>(object)->text(); };
  else
    return nullptr;
}

/// The registration of T, which names itself in T::kLuaName. Its member text(), if it has one, is
/// what tostring() gives.
// NOLINTBEGIN(performance-unnecessary-value-param): the check does not see the moves
template <typename T>
LuaClass lua_class(std::vector<LuaVerb> verbs, std::vector<LuaField> fields = {}) {
  return {.name = T::kLuaName,
          .collect =
              [](lua_State* state) {
                static_cast<T*>(lua_touserdata(state, 1))->~T();
                return 0;
              },
          .verbs = std::move(verbs),
          .fields = std::move(fields),
          .text = text_function<T>()};
}
// NOLINTEND(performance-unnecessary-value-param)

/// Pushes an object of a registered class; Lua owns it.
template <typename T>
int push_object(lua_State* lua, T value) {
  new (lua_newuserdatauv(lua, sizeof(T), 0)) T(std::move(value));
  luaL_setmetatable(lua, T::kLuaName);
  return 1;
}

// Texts of values for scripts, without addresses of the process: an address differs from run to
// run, and has no meaning for the reader.

/// Returns what tostring() returns: of an object "host kang"; of a table, a function or another
/// object its kind and a number, "table 1". The number counts the values of that kind in the order
/// of their first text. Calls __tostring, so it may raise an error of Lua.
std::string stable_text(lua_State* lua, int index);

/// Makes tostring() and string.format("%s") give such texts; "%p" is refused.
void install_stable_text(lua_State* lua);

/// Pushes a JSON value as a Lua value.
void push_json(lua_State* lua, const nlohmann::json& value);

}  // namespace tcplab::app
