// The run's process of `tcplab shell`. It is like the process of a scenario, but takes its commands
// from the process with the terminal.
#pragma once

#include "scenarios/engine/suite/run_plan.hh"
#include "scenarios/engine/suite/worker.hh"

namespace tcplab::engine {

/// Executes the session, and returns its RunStatus as an exit status. The plan's script describes
/// the session in its events.
int run_session_worker(const RunPlan& plan, const WorkerTies& ties);

}  // namespace tcplab::engine
