// The process of a session's run (tcplab shell): as a scenario's, but what is done comes from the
// process with the terminal.
#pragma once

#include "scenarios/engine/suite/run_plan.hh"
#include "scenarios/engine/suite/worker.hh"

namespace tcplab::engine {

/// The plan's script is what the session says of itself. Returns the RunStatus as an exit status.
int run_session_worker(const RunPlan& plan, const WorkerTies& ties);

}  // namespace tcplab::engine
