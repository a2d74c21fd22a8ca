// Looks at a live process without stopping it: proc(5), process_vm_readv(2) and pidfd_getfd(2).
// Nothing is loaded into it, and it is not attached to.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "look/looked_process.hh"

namespace tcplab::look {

/// Options of a look by the tracer of the process.
struct LookScope {
  /// A thread that the caller holds, and whose call a signal has just interrupted.
  std::optional<pid_t> interrupted{};
  /// Each thread in a system call gets its frames, not only those that wait for a connection.
  bool has_all_frames = false;
  std::optional<pid_t> without_frames{};  // but for this one
};

/// Looks at one process. Throws base::UsageError if there is none with that id, if it has ended, or
/// if it is a thread of the kernel. A thread that a tracer holds is not seen in a call, as its call
/// may have returned, unless it is `interrupted`.
LookedProcess look_at(pid_t process, const LookScope& scope = {});

/// Looks at its calls and connections only: at no frames, and at no tasks of a runtime. That takes
/// less than a millisecond. Throws as look_at() does.
LookedProcess look_at_calls(pid_t process);

/// Returns a process and its children, and theirs, the process first.
std::vector<pid_t> family_of(pid_t process);

/// Returns all processes of the machine, in order.
std::vector<pid_t> all_processes();

}  // namespace tcplab::look
