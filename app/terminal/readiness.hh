// Waits for a terminal without changing it. What Asio waits for becomes non-blocking, and standard
// input is the same open file as standard output if both are the terminal: output that the terminal
// cannot take at once would then be lost.
#pragma once

#include "base/file_descriptor.hh"

namespace tcplab::app {

/// Returns a descriptor that is readable whenever `descriptor` is: an epoll(7) instance. Throws
/// base::SystemError; a regular file cannot be waited for.
base::FileDescriptor readiness_of(int descriptor);

}  // namespace tcplab::app
