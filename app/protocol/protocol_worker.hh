// The run's process of `tcplab session`.
#pragma once

#include <memory>

#include "app/suite/run_channel.hh"
#include "app/suite/run_plan.hh"
#include "app/suite/scripted_run.hh"
#include "app/suite/worker.hh"

namespace tcplab::app {

/// Makes the session of a plan; a SessionMaker.
std::unique_ptr<ScriptedRun> make_protocol_session(const RunPlan& plan, const WorkerTies& ties,
                                                   RunChannelWriter& channel);

}  // namespace tcplab::app
