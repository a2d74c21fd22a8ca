// Writes a core file (core(5)) of a process that lives, as the kernel does at a process's end. The
// kernel writes its own where kernel.core_pattern says, which may be a program of the machine, and
// not at all if the process handles the signal.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tcplab::capture {

struct DumpedThread {
  pid_t id = 0;  // in its own PID namespace
  user_regs_struct registers{};
};

struct DumpedProcess {
  pid_t process = 0;
  pid_t own_process = 0;                // the same process in its own PID namespace
  int signal = 0;                       // that ends it
  std::vector<DumpedThread> threads{};  // the one that gets the signal is the first
};

struct DumpedSize {
  std::uint64_t written = 0;
  std::uint64_t left_out = 0;  // memory for which `most` was too little
};

/// Writes a core file that only its user can read, with at most `most` bytes of memory, that of
/// small mappings first: stacks come before heaps. Memory that was never used is a hole of the
/// file. The threads must be stopped. Throws base::SystemError if it cannot be written; then there
/// is none.
DumpedSize write_core(const DumpedProcess& process, const std::string& path, std::uint64_t most);

}  // namespace tcplab::capture
