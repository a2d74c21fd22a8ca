// What a kernel knows about a TCP socket that this process has a descriptor of: getsockopt(2).
#pragma once

#include "look/looked_process.hh"

namespace tcplab::look {

/// Returns nothing if the descriptor is no TCP socket.
std::optional<LookedConnection> look_at_socket(int descriptor);

/// Reads the sysctls of this process's network namespace.
audit::KernelSettings kernel_settings();

}  // namespace tcplab::look
