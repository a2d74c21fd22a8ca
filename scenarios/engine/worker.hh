// One run in its own process, inside a run space: the experiment, its files, and what is told to
// the process that started it.
#pragma once

#include "scenarios/engine/run_plan.hh"

namespace tcplab::engine {

/// `run` counts the runs of the suite. Returns the RunStatus as an exit status. With `every_event`
/// the channel carries the whole timeline, else only its ends and verdicts.
int run_worker(const RunPlan& plan, std::size_t run, int channel, bool every_event);

}  // namespace tcplab::engine
