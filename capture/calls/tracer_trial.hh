// Tries the tracer on a child, to learn what this machine allows: `tcplab doctor`.
#pragma once

#include <cstdint>

namespace tcplab::capture {

/// What keeps the tracer from working.
enum class TraceObstacle : std::uint8_t {
  none,
  ptrace,   // ptrace(2) is refused
  filter,   // seccomp(2) with a filter is refused
  sockets,  // pidfd_getfd(2) is refused: the tracer cannot find out which sockets are TCP's
};

/// Traces a child that makes a socket and closes it. Reaps it; the process must have no other
/// child that ends meanwhile. Throws base::SystemError if it cannot start one.
TraceObstacle find_trace_obstacle();

}  // namespace tcplab::capture
