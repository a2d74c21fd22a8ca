// A thread that waits in a system call, as proc(5) shows it: its call, and where it is. The thread
// is not stopped.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "capture/calls/call_stop.hh"
#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// Returns the AUDIT_ARCH_* of a process's program.
std::uint32_t architecture_of(pid_t process);

/// Returns the call in which a thread is, from the text of its /proc/PID/task/TID/syscall: the
/// number and six arguments. Empty if it is in none, or in one that the tracer does not know.
std::optional<CallStop> call_under_way(pid_t process, pid_t thread, std::uint32_t architecture,
                                       const std::string& text);

/// Returns where a thread is, from the same text: the last words are the stack pointer and the
/// program counter. Zeros if it runs.
ThreadPosition position_in_call(pid_t thread, const std::string& text);

/// Returns the number that a thread has in its own PID namespace: in a container, another one than
/// ours. If the kernel does not show it (proc_pid_status(5), NSpid), returns ours.
pid_t own_thread_id(pid_t process, pid_t thread);

/// Returns the descriptors that an epoll descriptor watches, with the events
/// (proc_pid_fdinfo(5)).
std::map<int, int> watched_by_epoll(pid_t process, int epoll);

/// Returns the descriptors that the call waits for, with the events. Empty unless it is poll(2),
/// select(2) or epoll_wait(2).
std::map<int, int> descriptors_of_wait(const CallStop& stop);

}  // namespace tcplab::capture
