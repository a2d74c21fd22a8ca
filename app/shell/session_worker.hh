// The run's process of `tcplab shell`. It is like the process of a scenario, but takes its commands
// from the process with the terminal.
#pragma once

#include "app/suite/run_plan.hh"
#include "app/suite/worker.hh"

namespace tcplab::app {

/// Executes the session, and returns its RunStatus as an exit status. The plan's script describes
/// the session in its events.
int run_session_worker(const RunPlan& plan, const WorkerTies& ties);

}  // namespace tcplab::app
