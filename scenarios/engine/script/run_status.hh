// How a run ends.
#pragma once

#include <stdexcept>

#include "capture/event/event.hh"

namespace tcplab::engine {

/// The exit status of the process of a run; the exit status of tcplab follows from it.
enum class RunStatus : int { passed = 0, failed = 1, bad_script = 2, broken = 3, skipped = 4 };

capture::Outcome outcome_of(RunStatus status);

/// Thrown by lab:skip() and for a need that is not met. It ends the run, and is not an error.
class Skip : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace tcplab::engine
