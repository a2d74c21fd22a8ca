// Copies the stack of a stopped thread: its registers, the memory of its innermost frames, and the
// mappings of its process. That takes a tenth of a millisecond. To find and name the frames
// (capture/stacks) takes a hundred times as long, but the thread can run meanwhile.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/calls/tracee_memory.hh"

namespace tcplab::capture {

struct StackCopy {
  pid_t process = 0;                     // 0: it does not live any more (core_file.hh)
  std::vector<std::uint64_t> registers;  // by their numbers in DWARF; without arm64's pc
  TraceeAddress program_counter = 0;
  TraceeAddress stack_pointer = 0;
  std::vector<std::byte> memory;            // from the stack pointer on
  std::shared_ptr<const std::string> maps;  // proc_pid_maps(5)
};

/// Returns the registers of a thread that is stopped by ptrace(2); nothing if it is not.
std::optional<user_regs_struct> registers_of(pid_t thread);

/// Returns the stack of these registers, without memory and mappings.
StackCopy stack_of(const user_regs_struct& registers);

class StackCopier {
public:
  /// Copies the stack of a thread that is stopped by ptrace(2). Returns nothing if it is not, or if
  /// it runs 32-bit code.
  std::optional<StackCopy> copy(pid_t process, pid_t thread);

private:
  /// Stacks of one process share a text while its mappings are the same.
  std::unordered_map<pid_t, std::shared_ptr<const std::string>> maps_;
};

/// Copies the stack of a thread that waits in a system call and is not stopped. The kernel tells
/// its program counter and its stack pointer (/proc/PID/task/TID/syscall); the other registers stay
/// empty.
StackCopy copy_waiting_stack(pid_t process, pid_t thread, TraceeAddress program_counter,
                             TraceeAddress stack_pointer);

}  // namespace tcplab::capture
