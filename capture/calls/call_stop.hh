// A thread that the tracer has stopped at the entry or the return of a call.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "capture/calls/ptrace.hh"
#include "capture/calls/traced_call.hh"
#include "capture/calls/tracee_memory.hh"

namespace tcplab::capture {

/// A thread at the entry or the return of a call.
struct CallStop {
  pid_t process = 0;  // its thread group (tgid)
  pid_t thread = 0;
  const TracedCall* call = nullptr;
  std::array<std::uint64_t, 6> arguments{};
  Abi abi = Abi::native;
  TraceeAddress arguments_at = 0;  // of socketcall(2): the arguments, as words of 32 bits; else 0
};

/// Returns the call that a thread is stopped at; `call` is nullptr if it is not traced.
CallStop call_stop(pid_t process, pid_t thread, const SyscallInfo& info);

}  // namespace tcplab::capture
