// The run's process of a session (tcplab shell, tcplab session). It is like the process of a
// scenario, but takes its commands from the process that started it.
#pragma once

#include <functional>

#include "app/suite/run_channel.hh"
#include "app/suite/run_plan.hh"
#include "app/suite/scripted_run.hh"
#include "app/suite/worker.hh"

namespace tcplab::app {

/// Makes the session. Its requests come through the control of the ties.
using SessionMaker = std::function<std::unique_ptr<ScriptedRun>(
    const RunPlan& plan, const WorkerTies& ties, RunChannelWriter& channel)>;

/// Makes a session whose turns are lines of Lua.
std::unique_ptr<ScriptedRun> make_shell_session(const RunPlan& plan, const WorkerTies& ties,
                                                RunChannelWriter& channel);

/// Executes the session, and returns its RunStatus as an exit status. The plan's script describes
/// the session in its events.
int run_session_worker(const RunPlan& plan, const WorkerTies& ties, const SessionMaker& make);

}  // namespace tcplab::app
