// Who lives on a host, asked of the /proc of the caller's own pid namespace (proc(5)).
#pragma once

#include <sys/types.h>

#include <vector>

namespace tcplab::netns {

/// The live processes (no zombies) of the pid namespace that `init` is the pid 1 of, without it.
/// A process that ends meanwhile may be among them or not.
std::vector<pid_t> processes_beside(pid_t init);

/// Returns whether the process, or a descendant of it, runs or waits for a processor or a disk. If
/// not, then all of them wait for something: input, a frame, or a timer.
bool is_any_running(pid_t process);

}  // namespace tcplab::netns
