// lab:when: a function of the script runs at a moment.
#include <chrono>
#include <cmath>
#include <cstdint>

#include "base/error.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_subject.hh"

namespace tcplab::engine {

namespace {

constexpr int kMostTimes = 1'000'000;
constexpr std::int64_t kMostBytes = 1'000'000'000'000;
constexpr int kFunctionAt = 2;
constexpr int kOptionsAt = 3;
constexpr base::nanoseconds kWholeRun = std::chrono::hours(24 * 365);
// If the function leaves no event, none tells that it has run.
constexpr base::nanoseconds kAskMomentEvery = std::chrono::milliseconds(250);

const LuaTable kWhenOptions = {
    "when_options",
    "",
    {{"times?", "integer", "how often the function runs; 1 by default"},
     {"bytes?", "integer", "the function runs once, when packets have carried that much data"},
     {"optional?", "boolean", "the run does not fail if the moment does not come"}}};

int times_option(const LuaCall& call) {
  const double times = call.option_number(kOptionsAt, "times").value_or(1);
  if (times != std::floor(times) || times < 1 || times > kMostTimes)
    throw base::UsageError("option `times` is a whole number from 1 to " +
                           std::to_string(kMostTimes));
  return static_cast<int>(times);
}

/// Returns the option `bytes`; 0 if there is none.
std::uint64_t bytes_option(const LuaCall& call, const LuaCondition& condition) {
  const auto bytes = call.option_number(kOptionsAt, "bytes");
  if (!bytes) return 0;
  if (*bytes != std::floor(*bytes) || *bytes < 1 || *bytes > kMostBytes)
    throw base::UsageError("option `bytes` is a whole number from 1 to " +
                           std::to_string(kMostBytes));
  if (condition.packet == nullptr)
    throw base::UsageError(
        "option `bytes` counts the data of packets; the condition must be a "
        "lab:packet");
  if (call.option_number(kOptionsAt, "times"))
    throw base::UsageError("give lab:when `times` or `bytes`, not both");
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
        deadline, span, "the moment of lab:when in line " + std::to_string(line) + " comes",
        [count, times] {
          return Condition::Status{*count >= times,
                                   *count >= times ? "it does" : "it did not come"};
        });
    wait->ask_every = kAskMomentEvery;
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
  context.moments().add(
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
           [&context, function, count](const capture::Event* event) {
             ++*count;  // before: the events that the function leaves may end a wait
             context.act(function, event);
           }});
  context.unfinished().finish(condition.unfinished);
  return push_object(call.lua, has_run(count, times, call.line()));
}

}  // namespace

LuaModule when_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"when",
                lab_when,
                "Runs a function at the moment when a condition is met. It may not wait. Returns a "
                "condition: that it has run as often as `times` says.",
                {{"condition", "condition"},
                 {"action", "fun(event: event)"},
                 {"options?", "when_options"}},
                {"condition"}}})},
          .tables = {&kWhenOptions}};
}

}  // namespace tcplab::engine
