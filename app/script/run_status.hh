// How a run ends.
#pragma once

#include "capture/event/event.hh"
#include "lab/programs/needs.hh"

namespace tcplab::app {

/// The exit status of the process of a run; the exit status of tcplab follows from it.
enum class RunStatus : int { passed = 0, failed = 1, bad_script = 2, broken = 3, skipped = 4 };

capture::Outcome outcome_of(RunStatus status);

}  // namespace tcplab::app
