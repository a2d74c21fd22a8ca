// The lab in scripts: waiting, notes for the reader, constants.
#include <algorithm>
#include <chrono>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"

namespace tcplab::app {

using namespace std::chrono_literals;

using capture::ActionVerb;

namespace {

constexpr int kIdleScale = 1000;  // fast timers: a minute of idleness is 60 ms
constexpr base::nanoseconds kShortestIdle = 50ms;

int wait_span(LuaCall& call, base::nanoseconds span) {
  ScriptContext& context = context_of(call);
  return context.suspend(std::make_unique<TimeWait>(context.laboratory().clock().now(), span));
}

int lab_wait(LuaCall& call) {
  const base::nanoseconds span = call.span(1, "how long");
  context_of(call).act({.verb = ActionVerb::wait, .span = span, .line = call.line()});
  return wait_span(call, span);
}

/// Nothing in the kernel depends on how long an idle connection idles, so fast timers shorten it.
int lab_idle(LuaCall& call) {
  const base::nanoseconds asked = call.span(1, "how long");
  ScriptContext& context = context_of(call);
  const bool fast = context.laboratory().config().timers == lab::TimerProfile::fast;
  const base::nanoseconds span = fast ? std::max(asked / kIdleScale, kShortestIdle) : asked;
  context.act({.verb = ActionVerb::idle,
               .span = span,
               .story_span = fast ? asked : base::nanoseconds{},
               .line = call.line()});
  return wait_span(call, span);
}

int lab_say(LuaCall& call) {
  lab::Laboratory& laboratory = context_of(call).laboratory();
  laboratory.timeline().append(laboratory.clock().now(),
                               capture::Note{.text = call.text(1, "the text")});
  return call.push_nothing();
}

int lab_skip(LuaCall& call) { throw lab::Skip(call.text(1, "the reason")); }

int lab_now(LuaCall& call) {
  lab::Laboratory& laboratory = context_of(call).laboratory();
  return call.push(base::in_seconds(laboratory.clock().now() - laboratory.started()));
}

/// lab:parameter(name): nil if the run has no such parameter.
int lab_parameter(LuaCall& call) {
  const auto& parameters = context_of(call).laboratory().config().parameters;
  const auto found = parameters.find(call.text(1, "the name"));
  if (found != parameters.end()) return call.push(found->second);
  lua_pushnil(call.lua);
  return 1;
}

/// lab:since("6.5")
int lab_since(LuaCall& call) {
  lua_pushboolean(call.lua,
                  context_of(call).verdicts().has_kernel(call.text(1, "the version")) ? 1 : 0);
  return 1;
}

template <int kMilliseconds>
int field_unit(LuaCall& call) {
  return call.push(kMilliseconds / 1000.0);
}

int field_family(LuaCall& call) {
  const bool is_ipv4 = context_of(call).laboratory().config().family == base::Family::ipv4;
  return call.push_integer(is_ipv4 ? 4 : 6);
}

int field_timers(LuaCall& call) {
  return call.push(std::string(name(context_of(call).laboratory().config().timers)));
}

}  // namespace

LuaModule lab_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"wait", lab_wait, "Lets time pass.", {{"seconds", "number", "", kSpanRange}}},
               {"idle",
                lab_idle,
                "Lets an idle period pass; under fast timers, a thousandth of it.",
                {{"seconds", "number", "", kSpanRange}}},
               {"say", lab_say, "Prints a line for the reader of the run.", {{"text", "string"}}},
               {"skip", lab_skip, "Ends the run as skipped.", {{"reason", "string"}}, {}, "", true},
               {"parameter",
                lab_parameter,
                "Returns the text that the run was given for this name, or nil: --set NAME=VALUE.",
                {{"name", "string"}},
                {"string"}},
               {"since",
                lab_since,
                "Returns whether the hosts' kernel is that version of Linux, or a newer one.",
                {{"version", "kernel_version", "\"6.5\""}},
                {"boolean"}},
               {"now", lab_now, "Returns the seconds since the run began.", {}, {"number"}}},
              {{"millisecond", field_unit<1>, "number", "0.001", true},
               {"second", field_unit<1000>, "number", "1", true},
               {"minute", field_unit<60'000>, "number", "60", true},
               {"hour", field_unit<3'600'000>, "number", "3600", true},
               {"family", field_family, "4|6"},
               {"timers", field_timers, "\"fast\"|\"stock\""}})}};
}

}  // namespace tcplab::app
