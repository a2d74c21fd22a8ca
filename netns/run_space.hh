// Isolates one run in a process with new pid, net, mount, uts and ipc namespaces, and a new user
// namespace if the caller is not root. The process is pid 1 of its pid namespace: when it dies, the
// kernel kills and frees everything that the run created. It dies with its parent.
#pragma once

#include <sys/types.h>

#include <functional>
#include <span>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

struct RunSpace {
  pid_t pid = 0;
  base::FileDescriptor pidfd;  // readable when the process has ended; the caller must reap it
  std::string caveat;          // what this machine did not allow, for people; empty if nothing
};

/// Runs `body` in a new process in new namespaces, and returns once the namespaces are ready. The
/// process exits with the return value of `body`, or, if `body` throws, prints the exception on
/// stderr and exits with 3. It inherits the descriptors 0, 1, 2 and `keep`. The caller must be
/// single-threaded. As a pid 1 the process ignores signals that it does not handle, even those of
/// the terminal, except SIGKILL and SIGSTOP from outside (pid_namespaces(7)). Throws base::LabError
/// if this machine forbids the namespaces; the text says how to allow them.
RunSpace start_run_space(std::span<const int> keep, const std::function<int()>& body);

/// The same in a process without new namespaces, for kernel hosts: any user may do that. The
/// process dies with its parent. The processes that it starts must die with it by other means.
RunSpace start_run_process(std::span<const int> keep, const std::function<int()>& body);

}  // namespace tcplab::netns
