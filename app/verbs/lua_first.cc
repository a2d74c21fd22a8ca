// lab:first: which of several conditions is met first.
#include <algorithm>
#include <chrono>

#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

constexpr const char* kWithin = "within";
constexpr int kTable = 2;  // on the Lua stack, after the lab

const LuaTable kFirstConditions = {
    "first_conditions",
    "The conditions of lab:first, each with a name or in a list, and how long to wait.",
    {{"within?", "number", "seconds; 5 by default", kSpanRange},
     {"[string]", "condition"},
     {"[integer]", "condition"}}};

/// A key of the script's table: a number of a list, or a name.
struct ConditionKey {
  lua_Integer number = 0;  // 0: it is a name
  std::string name{};

  auto operator<=>(const ConditionKey&) const = default;
};

std::string described(const ConditionKey& key) {
  return key.name.empty() ? "[" + std::to_string(key.number) + "]" : "`" + key.name + "`";
}

ConditionKey key_at(lua_State* lua, int index) {
  if (lua_isinteger(lua, index) != 0) return {.number = lua_tointeger(lua, index)};
  if (lua_type(lua, index) == LUA_TSTRING) return {.name = lua_tostring(lua, index)};
  throw base::UsageError(std::string("a key of lab:first is a name or a whole number, not a ") +
                         luaL_typename(lua, index));
}

/// Throws: the value on top of the stack is no condition.
[[noreturn]] void refuse_value(lua_State* lua, const ConditionKey& key) {
  std::string what = luaL_typename(lua, -1);
  if (luaL_getmetafield(lua, -1, "__name") == LUA_TSTRING) {
    what = lua_tostring(lua, -1);
    std::ranges::replace(what, '_', ' ');
    lua_pop(lua, 1);
  }
  throw base::UsageError(described(key) +
                         " of lab:first must be a condition, such as client:exits()"
                         " or client:call(\"read\"):returns(), not: " +
                         what);
}

/// Returns the conditions in the order of their keys: it must not depend on Lua's tables.
std::map<ConditionKey, LuaCondition> conditions_argument(LuaCall& call) {
  lua_State* lua = call.lua;
  if (!lua_istable(lua, kTable))
    throw base::UsageError(
        "argument 1 (the conditions) must be a table: lab:first { gave_up = client:exits(), ... }");
  std::map<ConditionKey, LuaCondition> conditions;
  for (lua_pushnil(lua); lua_next(lua, kTable) != 0; lua_pop(lua, 1)) {
    const ConditionKey key = key_at(lua, -2);
    if (key.name == kWithin) continue;
    const void* found = luaL_testudata(lua, -1, LuaCondition::kLuaName);
    if (found == nullptr) refuse_value(lua, key);
    conditions.emplace(key, *static_cast<const LuaCondition*>(found));
  }
  if (conditions.empty())
    throw base::UsageError("lab:first has no condition; write lab:first { client:exits(), ... }");
  return conditions;
}

base::nanoseconds within_option(LuaCall& call) {
  const auto seconds = call.option_number(1, kWithin);
  if (!seconds) return kPatience;
  if (!(*seconds >= 0 && *seconds <= kLongestSpan))
    throw base::UsageError("option `within` must be a number of seconds from 0 to a year");
  return base::from_seconds(*seconds);
}

int push_winner(ScriptContext& context, lua_State* lua, const std::vector<ConditionKey>& keys,
                const FirstOf& decided) {
  const auto winner = decided.winner();
  if (!winner) {
    lua_pushnil(lua);
    return 1;
  }
  const ConditionKey& key = keys[*winner];
  if (key.name.empty())
    lua_pushinteger(lua, key.number);
  else
    lua_pushlstring(lua, key.name.data(), key.name.size());
  push_event_or_time(context, lua, decided);
  return 2;
}

int lab_first(LuaCall& call) {
  ScriptContext& context = context_of(call);
  const base::nanoseconds span = within_option(call);
  const base::Instant deadline = context.laboratory().clock().now() + span;
  std::vector<ConditionKey> keys;
  std::vector<std::unique_ptr<Suspension>> choices;
  for (const auto& [key, condition] : conditions_argument(call)) {
    keys.push_back(key);
    choices.push_back(condition.make(deadline, span));
    context.unfinished().finish(condition.unfinished);
  }
  return context.await(std::make_unique<FirstOf>(deadline, std::move(choices)),
                       [&context, keys](lua_State* lua, const Suspension& decided, bool) {
                         const auto& first = static_cast<const FirstOf&>(decided);
                         return push_winner(context, lua, keys, first);
                       });
}

}  // namespace

LuaModule first_module() {
  return {.classes = {lua_class<LuaLab>({{"first",
                                          lab_first,
                                          "Waits until one of several conditions is met. Returns "
                                          "its key and the event, or nil when time is up.",
                                          {{"conditions", "first_conditions"}},
                                          {"any key", "event"}}}),
                      lua_class<LuaCondition>({})},
          .tables = {&kFirstConditions}};
}

}  // namespace tcplab::app
