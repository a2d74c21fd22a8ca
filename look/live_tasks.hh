// The tasks of a live process's runtime, such as goroutines, that wait for its TCP connections.
#pragma once

#include "look/live_frames.hh"
#include "look/looked_process.hh"

namespace tcplab::look {

/// Fills in `process.tasks`; its connections must be there.
void take_tasks(LiveFrames& frames, LookedProcess& process);

}  // namespace tcplab::look
