// lab:when: a function of the script runs when a condition is met.
#include <chrono>
#include <cmath>
#include <cstdint>

#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

constexpr int kMostTimes = 1'000'000;
constexpr std::int64_t kMostBytes = 1'000'000'000'000;
constexpr int kFunctionAt = 2;
constexpr int kOptionsAt = 3;
constexpr base::nanoseconds kWholeRun = std::chrono::hours(24 * 365);
// If the function causes no event, no event reports that it has run.
constexpr base::nanoseconds kAskHandlerEvery = std::chrono::milliseconds(250);

void check_when(lua_State* lua) {
  const int top = lua_gettop(lua);
  const bool has_both =
      lua_getfield(lua, -1, "times") != LUA_TNIL && lua_getfield(lua, top, "bytes") != LUA_TNIL;
  if (has_both) throw base::UsageError("give lab:when `times` or `bytes`, not both");
  lua_settop(lua, top);
}

const LuaTable kWhenOptions = {
    "when_options",
    "",
    {{"times?", "integer", "how often the function runs; 1 by default", {1, kMostTimes}},
     {"bytes?",
      "integer",
      "the function runs once, when packets have carried that much data",
      {1, kMostBytes}},
     {"optional?", "boolean", "the run passes even if the condition is never met"}},
    nullptr,
    check_when};

int times_option(const LuaCall& call) {
  const double times = call.option_number(kOptionsAt, "times").value_or(1);
  return static_cast<int>(times);
}

/// Returns the option `bytes`; 0 if there is none.
std::uint64_t bytes_option(const LuaCall& call, const LuaCondition& condition) {
  const auto bytes = call.option_number(kOptionsAt, "bytes");
  if (!bytes) return 0;
  if (condition.packet == nullptr)
    throw base::UsageError(
        "option `bytes` counts the data of packets; the condition must be a "
        "lab:packet");
  return static_cast<std::uint64_t>(*bytes);
}

/// Returns the function's reference in Lua's registry, which keeps it as long as the run.
int function_reference(const LuaCall& call) {
  if (!lua_isfunction(call.lua, kFunctionAt + 1))
    throw base::UsageError(
        "argument 2 (the function) must be a function: lab:when(condition, function() ... end)");
  lua_pushvalue(call.lua, kFunctionAt + 1);
  return luaL_ref(call.lua, LUA_REGISTRYINDEX);
}

/// A condition that is met when the function has run that often. It may be left unused.
LuaCondition has_run(std::shared_ptr<const int> count, int times, int line) {
  return {.make = [count = std::move(count), times, line](base::Instant deadline,
                                                          base::nanoseconds span) {
    auto wait = std::make_unique<Condition>(
        deadline, span, "the function of lab:when in line " + std::to_string(line) + " has run",
        [count, times] {
          return Condition::Status{*count >= times,
                                   *count >= times ? "it has" : "its condition was not met"};
        });
    wait->ask_every = kAskHandlerEvery;
    return wait;
  }};
}

int lab_when(LuaCall& call) {
  ScriptContext& context = context_of(call);
  call.allow_options(kOptionsAt, kWhenOptions);
  const LuaCondition condition = call.object<LuaCondition>(1, "when");
  const int times = times_option(call);
  const std::uint64_t bytes = bytes_option(call, condition);
  const bool acts_when_sent = condition.packet != nullptr && !condition.packet->fate;
  const bool is_optional = call.option_flag(kOptionsAt, "optional", false);
  const int function = function_reference(call);
  const auto count = std::make_shared<int>(0);
  context.handlers().add(
      {.line = call.line(),
       .times = times,
       .bytes = bytes,
       .is_optional = is_optional,
       .make =
           [make = condition.make, &context] {
             return make(context.laboratory().clock().now() + kWholeRun, kWholeRun);
           },
       .sent_packet = acts_when_sent ? condition.packet : nullptr,
       .act =
           [&context, line = call.line(), function, count](const capture::Event* event) {
             ++*count;  // before: the events that the function leaves may end a wait
             context.act(line, function, event);
           }});
  context.unfinished().finish(condition.unfinished);
  return push_object(call.lua, has_run(count, times, call.line()));
}

}  // namespace

LuaModule when_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"when",
                lab_when,
                "Runs a function when a condition is met. The function may not wait. Returns a "
                "condition, which is met when the function has run as often as `times` says.",
                {{"condition", "condition"},
                 {"action", "fun(event: event)"},
                 {"options?", "when_options"}},
                {"condition"}}})},
          .tables = {&kWhenOptions}};
}

}  // namespace tcplab::app
