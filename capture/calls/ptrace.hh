// ptrace(2) with the kernel's struct ptrace_syscall_info, which glibc and <linux/ptrace.h> both
// define.
#pragma once

#include <sys/ptrace.h>

namespace tcplab::capture {

using SyscallInfo = __ptrace_syscall_info;

}  // namespace tcplab::capture
