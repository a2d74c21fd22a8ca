// Reads and changes the system call of a thread that is stopped at it: ptrace(2), and
// SECCOMP_RET_TRACE in seccomp(2).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "capture/calls/abi.hh"
#include "capture/calls/ptrace.hh"

namespace tcplab::capture {

/// Returns what a thread is stopped at: PTRACE_GET_SYSCALL_INFO. User-mode Linux does not have
/// that: then the registers are read. They do not show the kind of the stop, so pass it as `kind`
/// (PTRACE_SYSCALL_INFO_EXIT, say); seccomp.ret_data stays 0. Nothing if the thread is not stopped
/// at a call.
std::optional<SyscallInfo> syscall_info(pid_t thread, std::uint8_t kind);

/// At the entry: the kernel skips the call. At its return, set_result() must follow. Returns false
/// if the thread is gone.
bool skip_call(pid_t thread);

/// At the return: what the program gets, -errno if the call fails. Returns false if the thread is
/// gone.
bool set_result(pid_t thread, std::int64_t result);

/// Sets an argument, 0 to 5, of a call of that ABI. It is in a register that programs expect to
/// keep (syscall(2)), so it must be set back at the return. Returns false if the thread is gone.
bool set_argument(pid_t thread, Abi abi, int index, std::uint64_t value);

}  // namespace tcplab::capture
