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

/// What the filter does with mmap(2) of a file, for execution or at a fixed address: that is how
/// code is loaded (stop_points.hh).
enum class FileMappings : std::uint8_t { unseen, seen };

/// The filter stops a program at traced_calls(), at calls of an ABI that the tracer does not know,
/// at calls that may start an untraced child, at io_uring_setup(2) if it is allowed, and at mmap(2)
/// if that is to be seen.
std::vector<sock_filter> call_filter(IoUring io_uring,
                                     FileMappings mappings = FileMappings::unseen);

/// Returns whether a call is mmap(2) of this machine's own ABI: `arch` and `number` as in
/// seccomp_data.
bool is_mapping(std::uint32_t arch, std::uint64_t number);

/// Returns whether a call is of an ABI that the tracer does not know, as x32: `arch` and `number`
/// as in seccomp_data.
bool is_foreign_call(std::uint32_t arch, std::uint64_t number);

/// Installs the filter in this process, for it and for all that it starts. Sets no_new_privs only
/// if the kernel asks for it (no CAP_SYS_ADMIN): setuid programs then run without their privileges.
/// Returns false with errno if the kernel refuses. Safe between fork(2) and exec(2).
bool install_call_filter(const std::vector<sock_filter>& filter);

}  // namespace tcplab::capture
