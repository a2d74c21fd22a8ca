// A thread that the tracer has stopped at the entry or the return of a call.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "capture/calls/traced_call.hh"

namespace tcplab::capture {

/// A thread at the entry or the return of a call.
struct CallStop {
  pid_t process = 0;  // its thread group (tgid)
  pid_t thread = 0;
  const TracedCall* call = nullptr;
  std::array<std::uint64_t, 6> arguments{};
};

}  // namespace tcplab::capture
