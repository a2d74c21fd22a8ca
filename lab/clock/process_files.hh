// The threads of a process in /proc. Their files stay open, because the lab reads them thousands of
// times a second.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "lab/clock/thread_look.hh"

namespace tcplab::lab {

struct ProcessLook {
  pid_t own_id = 0;                 // as the process sees itself
  std::vector<ThreadLook> threads;  // up to the first that runs, for the others do not matter
};

class ProcessFiles {
public:
  /// Opens those of all its threads.
  explicit ProcessFiles(pid_t process);

  /// Looks at these threads. Those that have ended are missing.
  ProcessLook look();

private:
  struct ThreadFiles {
    pid_t thread = 0;
    base::FileDescriptor status;
    base::FileDescriptor call;
    base::FileDescriptor state;  // cheap to read, as the next one
    base::FileDescriptor times;
    std::string known_times{};  // at the last look, if it slept then
    ThreadLook known{};
  };

  static std::optional<ThreadLook> look_at(ThreadFiles& files);

  pid_t process_;
  std::vector<ThreadFiles> threads_;
};

/// Returns another number whenever a process or a thread was started in this PID namespace, or in
/// one below it (proc_loadavg(5): the last field).
std::int64_t newest_process();

}  // namespace tcplab::lab
