// Turns a new process of the agent into a program.
#pragma once

#include <map>

#include "capture/calls/traced_child.hh"
#include "uml/configuration.hh"

namespace tcplab::uml {

/// Replaces this process with the program. `descriptors`: what it gets as which; it has nothing
/// else open, except for /dev/null as 0 to 2 if these are missing. Writes an error to the pipe,
/// which closes at exec. `gate`: holds it until it is traced; null if nobody traces it.
[[noreturn]] void become_program(const ProgramStart& start, const std::map<int, int>& descriptors,
                                 int error_pipe, capture::TraceGate* gate);

}  // namespace tcplab::uml
