// Expectations about times: a script measures, the kernel's timers have their tolerance.
#include <algorithm>

#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/lua_lab.hh"

namespace tcplab::engine {

/// lab:expect_time(seconds, expected seconds, "what took it"): by the kernel timers' tolerance.
int lab_expect_time(LuaCall& call) {
  const base::nanoseconds measured = call.span(1, "the time measured");
  const base::nanoseconds expected = call.span(2, "the time expected");
  const std::string what = call.has(3) ? call.text(3, "what it is") : "it";
  Experiment& experiment = call.experiment();
  const TimeBounds allowed = bounds(expected, experiment.slack());
  return experiment.judge_time(measured >= allowed.earliest && measured <= allowed.latest,
                               what + " takes " + base::describe(expected) + " (" +
                                   base::describe(std::max(allowed.earliest, base::nanoseconds{})) +
                                   " to " + base::describe(allowed.latest) + ")",
                               base::describe(measured), call.line());
}

/// lab:expect_between(seconds, earliest, latest, "what took it"): the same tolerance on both sides.
int lab_expect_between(LuaCall& call) {
  const base::nanoseconds measured = call.span(1, "the time measured");
  const base::nanoseconds earliest = call.span(2, "the earliest time");
  const base::nanoseconds latest = call.span(3, "the latest time");
  const std::string what = call.has(4) ? call.text(4, "what it is") : "it";
  Experiment& experiment = call.experiment();
  const bool within = measured >= bounds(earliest, {}).earliest &&
                      measured <= bounds(latest, experiment.slack()).latest;
  return experiment.judge_time(
      within, what + " takes from " + base::describe(earliest) + " to " + base::describe(latest),
      base::describe(measured), call.line());
}

}  // namespace tcplab::engine
