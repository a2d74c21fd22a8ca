// The space that one run lives in: a process that is pid 1 of its own pid namespace, with
// user (when not root), net, mount, uts and ipc namespaces of its own. When it dies, in whatever
// way, the kernel ends everything that the run has made; when its parent dies, it dies.
#pragma once

#include <sys/types.h>

#include <functional>
#include <span>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

struct RunSpace {
  pid_t pid = 0;
  base::FileDescriptor pidfd;  // readable when it has ended; to be reaped through it or by pid
  std::string caveat;          // what this machine did not allow, for people; mostly empty
};

/// Starts `body` in a process of its own inside new namespaces; its return value is the exit
/// status. Of the caller's descriptors it keeps 0, 1, 2 and those named. The caller must be
/// single-threaded. As a pid 1 it is deaf to signals that it does not handle, those of the
/// terminal included, but for SIGKILL and SIGSTOP from outside (pid_namespaces(7)). In the child an
/// exception that leaves `body` is printed on stderr, status 3. Throws base::LabError where the
/// namespaces may not be made, saying how to allow it.
RunSpace start_run_space(std::span<const int> keep, const std::function<int()>& body);

}  // namespace tcplab::netns
