// lab:when: a function of the script runs at a moment.
#include <chrono>
#include <cmath>

#include "base/error.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_subject.hh"
#include "scenarios/engine/verbs/lua_tcp_options.hh"

namespace tcplab::engine {

namespace {

constexpr int kMostTimes = 1'000'000;
constexpr int kFunction = 2;
constexpr int kOptions = 3;
constexpr base::nanoseconds kWholeRun = std::chrono::hours(24 * 365);

const LuaTable kWhenOptions = {
    "when_options",
    "",
    {{"times?", "integer", "how often the function runs; 1 by default"},
     {"optional?", "boolean", "the run does not fail if the moment does not come"}}};

int times_option(const LuaCall& call) {
  const double times = call.option_number(kOptions, "times").value_or(1);
  if (times != std::floor(times) || times < 1 || times > kMostTimes)
    throw base::UsageError("option `times` is a whole number from 1 to " +
                           std::to_string(kMostTimes));
  return static_cast<int>(times);
}

/// Returns the function's reference in Lua's registry, which keeps it as long as the run.
int function_reference(const LuaCall& call) {
  if (!lua_isfunction(call.lua, kFunction + 1))
    throw base::UsageError(
        "argument 2 (the function) must be a function: lab:when(condition, function() ... end)");
  lua_pushvalue(call.lua, kFunction + 1);
  return luaL_ref(call.lua, LUA_REGISTRYINDEX);
}

int lab_when(LuaCall& call) {
  ScriptContext& context = context_of(call);
  call.allow_options(kOptions, kWhenOptions);
  const LuaCondition condition = call.object<LuaCondition>(1, "when");
  const int times = times_option(call);
  const bool is_optional = flag_option(call, kOptions, "optional", false);
  const int function = function_reference(call);
  context.moments().add(
      {.line = call.line(),
       .times = times,
       .is_optional = is_optional,
       .make =
           [make = condition.make, &context] {
             return make(context.laboratory().clock().now() + kWholeRun, kWholeRun);
           },
       .sent_packet = condition.packet,
       .act = [&context, function](const capture::Event* event) { context.act(function, event); }});
  context.unfinished().finish(condition.unfinished);
  return call.push_nothing();
}

}  // namespace

LuaModule when_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"when",
                lab_when,
                "Runs a function at the moment when a condition is met. It may not wait.",
                {{"condition", "condition"},
                 {"action", "fun(event: event)"},
                 {"options?", "when_options"}}}})},
          .tables = {&kWhenOptions}};
}

}  // namespace tcplab::engine
