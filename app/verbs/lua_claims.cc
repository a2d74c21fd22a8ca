// Claims about what a script has measured: any value, or a time, with the tolerance of the kernel's
// timers; and the judgement of a requirement on a TCP stack.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"

namespace tcplab::app {

namespace {

const LuaTable kCheckOptions = {
    "check_options",
    "",
    {{"since?", "kernel_version", "not checked if the hosts' kernel is older"}}};

const LuaTable kTimeOptions = {
    "time_options",
    "",
    {{"tolerance?", "number", "seconds; by default that of the kernel's timers, 12.5 % and 4 ms",
      kSpanRange}},
    &kCheckOptions};

/// Returns whether the claim holds on the hosts' kernel, by the options at `options`. If not, notes
/// that it is not checked.
bool is_checked(LuaCall& call, int options, const std::string& claim) {
  const std::string since = call.option_text(options, "since").value_or("");
  ScriptContext& context = context_of(call);
  if (context.verdicts().has_kernel(since)) return true;
  context.verdicts().leave_unchecked(since, claim, "", call.line());
  return false;
}

/// The tolerance in the options at `options`; nothing: that of the kernel's timers.
std::optional<base::nanoseconds> tolerance_of(LuaCall& call, int options,
                                              base::nanoseconds expected) {
  call.allow_options(options, kTimeOptions);
  const auto tolerance = call.option_number(options, "tolerance");
  if (!tolerance) return std::nullopt;
  if (!(*tolerance >= 0 && *tolerance <= base::in_seconds(expected)))
    throw base::UsageError(
        "option `tolerance` is a number of seconds from 0 to the time expected, " +
        base::describe(expected));
  return base::from_seconds(*tolerance);
}

/// The times that count as the expected one if the machine is not busy. `probe`: how much of it is
/// the wait for a tail loss probe.
lab::TimeBounds allowed_times(const LuaCall& call, base::nanoseconds expected,
                              std::optional<base::nanoseconds> tolerance,
                              base::nanoseconds probe = {}) {
  const ScriptContext& context = context_of(call);
  const base::nanoseconds slack = context.verdicts().slack();
  if (tolerance) return {expected - *tolerance, expected + *tolerance + slack};
  return context.verdicts().has_virtual_clock() ? lab::virtual_bounds(expected, slack, probe)
                                                : lab::bounds(expected, slack);
}

std::string described(base::nanoseconds expected, const lab::TimeBounds& allowed) {
  return base::describe(expected) + " (" +
         base::describe(std::max(allowed.earliest, base::nanoseconds{})) + " to " +
         base::describe(allowed.latest) + ")";
}

/// Judges a time: one of these bounds must contain it. If none does, they are widened by the time
/// that the run waited for a processor: the lab may have seen either event so much too late.
/// `options` is where the options of the check are.
int judge_time(LuaCall& call, base::nanoseconds measured, std::span<const lab::TimeBounds> allowed,
               std::string claim, int options) {
  ScriptContext& context = context_of(call);
  const auto is_allowed = [&](base::nanoseconds waited) {
    return std::ranges::any_of(allowed, [&](const lab::TimeBounds& bounds) {
      return lab::widened(bounds, waited).contain(measured);
    });
  };
  bool passed = is_allowed({});
  if (!passed) {
    const base::nanoseconds waited = context.verdicts().waited_for_processor();
    passed = is_allowed(waited);
    claim += lab::describe_widening(waited);
  }
  if (!is_checked(call, options, claim)) return 0;
  return context.verdicts().judge_time(passed, claim, base::describe(measured), call.line());
}

int lab_expect_time(LuaCall& call) {
  const base::nanoseconds measured = call.span(1, "the time measured");
  const base::nanoseconds expected = call.span(2, "the time expected");
  std::string claim = (call.has(3) ? call.text(3, "what it is") : "it") + " takes ";
  const auto tolerance = tolerance_of(call, 4, expected);
  const auto computed = context_of(call).computed_times().find(expected);
  const base::nanoseconds probe = computed ? computed->probe : base::nanoseconds{};
  std::vector<lab::TimeBounds> allowed{allowed_times(call, expected, tolerance, probe)};
  claim += described(expected, allowed.front());
  if (computed && computed->if_late != computed->on_time) {
    allowed.push_back(allowed_times(call, computed->if_late, tolerance, probe));
    claim += ", or, if a timer is late, " + described(computed->if_late, allowed.back());
  }
  return judge_time(call, measured, allowed, std::move(claim), 4);
}

int lab_expect_between(LuaCall& call) {
  const base::nanoseconds measured = call.span(1, "the time measured");
  const base::nanoseconds earliest = call.span(2, "the earliest time");
  const base::nanoseconds latest = call.span(3, "the latest time");
  std::string claim = (call.has(4) ? call.text(4, "what it is") : "it") + " takes from " +
                      base::describe(earliest) + " to " + base::describe(latest);
  const auto tolerance = tolerance_of(call, 5, std::min(earliest, latest));
  const lab::TimeBounds allowed{allowed_times(call, earliest, tolerance).earliest,
                                allowed_times(call, latest, tolerance).latest};
  return judge_time(call, measured, {&allowed, 1}, std::move(claim), 5);
}

/// Describes a value in a message; tables have no text of their own.
std::string described(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TSTRING:
      return "\"" + std::string(lua_tostring(lua, index)) + "\"";
    case LUA_TNUMBER: {
      lua_pushvalue(lua, index);
      std::string text = lua_tostring(lua, -1);
      lua_pop(lua, 1);
      return text;
    }
    case LUA_TBOOLEAN:
      return lua_toboolean(lua, index) != 0 ? "true" : "false";
    default:
      return luaL_typename(lua, index);
  }
}

constexpr int kCondition = 2;  // after the lab
constexpr int kSeen = 4;

/// What a script claims about values.
struct Claim {
  bool holds = false;
  std::string text;
  std::string seen;
};

/// Reads (condition, "claim", seen). A function or an object of the lab is always true, so a claim
/// about it checks nothing.
Claim claim_of(LuaCall& call) {
  const int type = lua_type(call.lua, kCondition);
  if (type == LUA_TUSERDATA || type == LUA_TFUNCTION)
    throw base::UsageError(
        "argument 1 (the condition) is always true: it is " +
        std::string(type == LUA_TFUNCTION ? "a function" : "an object of the lab") +
        "; a claim takes values, lab:expect and lab:first wait");
  Claim claim{.holds = lua_toboolean(call.lua, kCondition) != 0,
              .text = call.text(2, "the claim"),
              .seen = {}};
  if (claim.text.empty())
    throw base::UsageError("argument 2 (the claim) is empty; say what is claimed");
  const bool shows = call.has(3) || call.count() == 3;
  claim.seen = shows         ? described(call.lua, kSeen)
               : claim.holds ? ""
                             : "it is " + described(call.lua, kCondition);
  return claim;
}

/// lab:check(condition, "claim", seen, { options })
int lab_check(LuaCall& call) {
  call.allow_options(4, kCheckOptions);
  const Claim claim = claim_of(call);
  if (is_checked(call, 4, claim.text)) {
    const int judged =
        context_of(call).verdicts().judge(claim.holds, claim.text, claim.seen, "", call.line());
    if (judged != 0) return judged;
  }
  lua_pushvalue(call.lua, kCondition);
  return 1;
}

/// lab:require(condition, "claim", seen). A text that says what was seen needs no quotes.
int lab_require(LuaCall& call) {
  Claim claim = claim_of(call);
  if (lua_type(call.lua, kSeen) == LUA_TSTRING) claim.seen = lua_tostring(call.lua, kSeen);
  const int judged = context_of(call).verdicts().judge_requirement(claim.holds, claim.text,
                                                                   claim.seen, call.line());
  if (judged != 0) return judged;
  lua_pushvalue(call.lua, kCondition);
  return 1;
}

int lab_does_not_arise(LuaCall& call) {
  const std::string reason = call.text(1, "the reason");
  context_of(call).verdicts().note_that_requirement_does_not_arise();
  throw lab::Skip(reason);
}

}  // namespace

LuaModule claims_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"check",
                lab_check,
                "Expects that the condition is true: a claim about values. Returns the condition.",
                {{"condition", "any"},
                 {"claim", "string", "what is claimed, for the reader"},
                 {"seen?", "any", "the value to show if it is false"},
                 {"options?", "check_options"}},
                {"any"}},
               {"require",
                lab_require,
                "Judges the requirement that the scenario tests. Returns the condition.",
                {{"condition", "any"},
                 {"claim", "string", "what the stack must do"},
                 {"seen?", "any", "what it does instead, if the condition is false"}},
                {"any"}},
               {"does_not_arise",
                lab_does_not_arise,
                "Ends the run: the stack never does what the requirement is about.",
                {{"reason", "string"}},
                {},
                "",
                true},
               {"expect_time",
                lab_expect_time,
                "Compares a time with the expected one, with the tolerance of the kernel's timers.",
                {{"measured", "number", "seconds"},
                 {"expected", "number", "seconds"},
                 {"what?", "string"},
                 {"options?", "time_options"}}},
               {"expect_between",
                lab_expect_between,
                "Checks a time that the kernel chooses within limits, with the same tolerance.",
                {{"measured", "number", "seconds"},
                 {"earliest", "number", "seconds"},
                 {"latest", "number", "seconds"},
                 {"what?", "string"},
                 {"options?", "time_options"}}}})},
          .tables = {&kCheckOptions, &kTimeOptions}};
}

}  // namespace tcplab::app
