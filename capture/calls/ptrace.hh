// ptrace(2) with the kernel's struct ptrace_syscall_info, which glibc and <linux/ptrace.h> both
// define.
#pragma once

#include <sys/ptrace.h>

#include <optional>

namespace tcplab::capture {

using SyscallInfo = __ptrace_syscall_info;

/// PTRACE_GET_SYSCALL_INFO (Linux 5.3); nothing if the thread is not stopped at a call.
inline std::optional<SyscallInfo> syscall_info(pid_t thread) {
  SyscallInfo info{};
  if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return std::nullopt;
  return info;
}

}  // namespace tcplab::capture
