// Names the limits of a process that a system call has reached (getrlimit(2)), for error messages.
#pragma once

#include <string>

namespace tcplab::base {

/// Returns what to add to the message of a failed call: "; the limit of open files is 256; raise it
/// with: ulimit -n 4096". Returns an empty text if the error has nothing to do with a limit.
std::string limit_of_files(int error);

/// The same for a call that makes a process: EAGAIN means RLIMIT_NPROC, or the limit of a control
/// group (fork(2)).
std::string limit_of_processes(int error);

}  // namespace tcplab::base
