// What is there instead of the event that an expectation has waited for: the words of a failure
// after "seen".
#pragma once

#include <string>

#include "lab/programs/lab_program.hh"

namespace tcplab::app {

/// Returns the calls in which the program waits: "it waits in recvfrom(5) for 5 s"; or that it
/// still runs.
std::string program_at_deadline(const lab::LabProgram& program, base::Instant now);

}  // namespace tcplab::app
