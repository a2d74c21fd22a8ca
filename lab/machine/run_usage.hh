// What a run uses of the machine: its own process, and all processes below it in the tree. The
// process that started the run looks at them from outside, in /proc (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>

namespace tcplab::lab {

struct RunUsage {
  std::uint64_t processes = 0;       // and threads, without the run's own process
  std::uint64_t memory = 0;          // bytes of the run's own process
  std::uint64_t program_memory = 0;  // bytes of all others, and of the files on its hosts' tmpfs
};

enum class Counting {
  quick,  // counts a page once for each process that shares it: never too little
  exact   // counts each page once: slow, if the processes have much memory
};

/// A snapshot of this machine's processes.
///
/// It reads a file of each process, and no file of a thread: once somebody has looked up
/// /proc/PID/task/TID (proc_pid_task(5)), a lab that waits for that process stands still for up to
/// a second (measured on Linux 6.18).
class ProcessTable {
public:
  ProcessTable();

  /// Returns what a run uses: its own process is `run`.
  RunUsage usage_of(pid_t run, Counting counting) const;

private:
  /// Adds the processes that have ended since the table was read to `ended`.
  RunUsage look_at(pid_t run, Counting counting, std::set<pid_t>& ended) const;

  struct Process {
    pid_t pid = 0;
    std::uint64_t threads = 0;
    std::uint64_t memory = 0;  // bytes, each page counted once for each process
    bool is_named_as_init = false;
  };

  std::multimap<pid_t, Process> by_parent_;
  std::map<pid_t, std::uint64_t> resident_;  // bytes, with pages of files
};

/// What all processes of this machine use, in one cheap look. Its growth is at least that of a run,
/// unless others free as much meanwhile.
struct MachineUsage {
  std::uint64_t processes = 0;  // and threads
  std::uint64_t memory = 0;     // bytes
};
MachineUsage look_at_machine();

}  // namespace tcplab::lab
