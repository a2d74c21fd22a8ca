// The core file of a program that is aborted on a host of a run. The kernel's own would be on the
// disk of the host, which ends with the run, or go to a program of the machine. So tcplab writes
// it.
#pragma once

#include <cstdint>
#include <string>

#include "capture/event/event.hh"

namespace tcplab::lab {

/// SIGCHLD must be blocked in the process, from its begin.
class CoreDumps {
public:
  /// Writes the core file of the process of a call that has failed, and whose thread is stopped
  /// there by ptrace(2), to `path`. The other threads are stopped for that, which interrupts their
  /// calls. The kernel writes none when the process is aborted. Returns what to say of it:
  /// "has a core file (12.3 MB): ...".
  std::string write(const capture::Call& call, const std::string& path);

private:
  std::uint64_t left_ = std::uint64_t{1} << 30;  // bytes of memory, of all core files
};

}  // namespace tcplab::lab
