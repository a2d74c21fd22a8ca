// Expectations about times that a script measures, with the tolerance of the kernel's timers.
#include <algorithm>

#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"

namespace tcplab::engine {

namespace {

int lab_expect_time(LuaCall& call) {
  const base::nanoseconds measured = call.span(1, "the time measured");
  const base::nanoseconds expected = call.span(2, "the time expected");
  const std::string what = call.has(3) ? call.text(3, "what it is") : "it";
  ScriptContext& context = context_of(call);
  const TimeBounds allowed = bounds(expected, context.slack());
  return context.judge_time(measured >= allowed.earliest && measured <= allowed.latest,
                            what + " takes " + base::describe(expected) + " (" +
                                base::describe(std::max(allowed.earliest, base::nanoseconds{})) +
                                " to " + base::describe(allowed.latest) + ")",
                            base::describe(measured), call.line());
}

int lab_expect_between(LuaCall& call) {
  const base::nanoseconds measured = call.span(1, "the time measured");
  const base::nanoseconds earliest = call.span(2, "the earliest time");
  const base::nanoseconds latest = call.span(3, "the latest time");
  const std::string what = call.has(4) ? call.text(4, "what it is") : "it";
  ScriptContext& context = context_of(call);
  const bool within = measured >= bounds(earliest, {}).earliest &&
                      measured <= bounds(latest, context.slack()).latest;
  return context.judge_time(
      within, what + " takes from " + base::describe(earliest) + " to " + base::describe(latest),
      base::describe(measured), call.line());
}

}  // namespace

LuaModule times_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"expect_time",
                lab_expect_time,
                "Compares a time with the expected one, with the tolerance of the kernel's timers.",
                {{"measured", "number", "seconds"},
                 {"expected", "number", "seconds"},
                 {"what?", "string"}}},
               {"expect_between",
                lab_expect_between,
                "Checks a time that the kernel chooses within limits, with the same tolerance.",
                {{"measured", "number", "seconds"},
                 {"earliest", "number", "seconds"},
                 {"latest", "number", "seconds"},
                 {"what?", "string"}}}})}};
}

}  // namespace tcplab::engine
