// The seccomp(2) filter that makes a program stop at the calls that the tracer records. All other
// calls run at full speed.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tcplab::capture {

/// What the filter does with io_uring(7), whose operations no tracer sees.
enum class IoUring : std::uint8_t {
  refused,  // io_uring_setup(2) fails with ENOSYS; programs then use system calls
  allowed,  // the tracer learns of each ring once
};

/// The filter stops a program at traced_calls(), at calls of an ABI that the tracer does not know,
/// at calls that may start an untraced child, and at io_uring_setup(2) if it is allowed.
std::vector<sock_filter> call_filter(IoUring io_uring);

/// Returns whether a call is of an ABI that the tracer does not know, as x32: `arch` and `number`
/// as in seccomp_data.
bool is_foreign_call(std::uint32_t arch, std::uint64_t number);

/// Installs the filter in this process, for it and for all that it starts. Sets no_new_privs only
/// if the kernel asks for it (no CAP_SYS_ADMIN): setuid programs then run without their privileges.
/// Returns false with errno if the kernel refuses. Safe between fork(2) and exec(2).
bool install_call_filter(const std::vector<sock_filter>& filter);

}  // namespace tcplab::capture
