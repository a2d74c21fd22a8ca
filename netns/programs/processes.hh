// Lists the processes of a host, from /proc of the caller's pid namespace (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace tcplab::netns {

/// Returns the processes of the pid namespace whose pid 1 is `init`, without `init` itself and
/// without zombies. A process that ends during the call may or may not be listed.
std::vector<pid_t> list_processes(pid_t init);

/// Marks the calling process, and all that it will ever start.
///
/// The parent of a process does not show which program it belongs to: a daemon's parent is the
/// init. So the mark is a limit that programs do not use: the soft limit RLIMIT_RTTIME, the time
/// that a real-time process may run without a blocking call. fork(2) and execve(2) keep it
/// (getrlimit(2)). A mark stands for more than 70,000 years, so the limit is never reached.
struct ProcessMark {
  std::uint64_t number = 0;  // of the program, from 1; 0 for no mark
};
void set_mark(ProcessMark mark);

/// Returns the live processes with that mark, the oldest pid first: all that the program has
/// started, daemons and processes in namespaces of their own too.
std::vector<pid_t> list_processes(ProcessMark mark);

/// Sends a signal to all of them, also to those that are started meanwhile. Returns how many got
/// it. After SIGKILL nothing of the program runs on; after SIGSTOP nothing of it runs: the call
/// returns when all threads are stopped, or after 0.2 s (a process that waits for a disk stops
/// later).
std::size_t signal_all(ProcessMark mark, int signal);

/// Returns whether the process ignores a signal; false if it has ended (proc_pid_status(5),
/// SigIgn).
bool ignores(pid_t process, int signal);

/// Returns whether the process, or a descendant of it, runs or waits for a processor or a disk. If
/// not, then all of them wait for something: input, a frame, or a timer.
bool is_any_running(pid_t process);

}  // namespace tcplab::netns
