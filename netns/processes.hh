// Lists the processes of a host, from /proc of the caller's pid namespace (proc(5)).
#pragma once

#include <sys/types.h>

#include <vector>

namespace tcplab::netns {

/// Returns the processes of the pid namespace whose pid 1 is `init`, without `init` itself and
/// without zombies. A process that ends during the call may or may not be listed.
std::vector<pid_t> list_processes(pid_t init);

/// Returns whether the process, or a descendant of it, runs or waits for a processor or a disk. If
/// not, then all of them wait for something: input, a frame, or a timer.
bool is_any_running(pid_t process);

}  // namespace tcplab::netns
