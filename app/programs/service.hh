// Services: programs that a script starts, waits for until they are ready, and starts again.
#pragma once

#include <string>

#include "app/programs/program_call.hh"
#include "app/script/script_context.hh"

namespace tcplab::app {

/// When a service is ready: one of port, text and check is set.
struct ReadyWhen {
  std::uint16_t port = 0;  // a socket on the host listens; 0 for none
  std::string text{};      // it prints this
  ProgramCall check{};     // this program exits with 0; its command is empty for none
  base::nanoseconds within{};

  /// Returns "listens on port 5432".
  std::string describe() const;
};

/// What a service is, so that it can be started again.
struct Service {
  lab::LabHost* host = nullptr;
  ProgramCall call{};
  ReadyWhen ready{};
  int stop_signal = 0;
  int incarnation = 0;  // of the host, when it was started last
};

/// Starts the service. Throws what start_program() throws.
lab::LabProgram& start_service(ScriptContext& context, Service& service);

/// Waits until a program that start_service() has started since that event is ready, then calls
/// `then`. If it is not ready in time, or ends before, the coroutine ends with a failed verdict
/// that has the end of its output. Returns what a verb returns.
int await_ready(ScriptContext& context, const Service& service, lab::LabProgram& program,
                std::uint64_t since, int line, ScriptContext::Then then);

}  // namespace tcplab::app
