// Waits for a terminal or a pipe without changing it. What Asio waits for becomes non-blocking, and
// standard input is the same open file as standard output if both are the terminal: output that the
// terminal cannot take at once would then be lost.
#pragma once

#include <cstdint>

#include "base/file_descriptor.hh"

namespace tcplab::app {

enum class ReadyTo : std::uint8_t { read, write };

/// Returns a descriptor that is readable whenever `descriptor` is ready: an epoll(7) instance.
/// Throws base::SystemError; a regular file cannot be waited for.
base::FileDescriptor readiness_of(int descriptor, ReadyTo what = ReadyTo::read);

}  // namespace tcplab::app
