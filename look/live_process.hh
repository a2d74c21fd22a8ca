// Looks at a live process without stopping it: proc(5), process_vm_readv(2) and pidfd_getfd(2).
// Nothing is loaded into it, and it is not attached to.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "look/looked_process.hh"

namespace tcplab::look {

/// Looks at one process. Throws base::UsageError if there is none with that id, if it has ended, or
/// if it is a thread of the kernel. A thread that a tracer holds is not seen in a call, as its call
/// may have returned. For the tracer itself, `interrupted` is the exception: a thread that it
/// holds, and whose call a signal has just interrupted.
LookedProcess look_at(pid_t process, std::optional<pid_t> interrupted = std::nullopt);

/// Returns a process and its children, and theirs, the process first.
std::vector<pid_t> family_of(pid_t process);

/// Returns all processes of the machine, in order.
std::vector<pid_t> all_processes();

}  // namespace tcplab::look
