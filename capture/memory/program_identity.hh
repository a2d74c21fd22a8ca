// Tells whether two sights are of one program: a process that lived, and a core file. A process
// number is used again, and a core file has no start time. But the kernel gives a program at its
// exec(2) an auxiliary vector (getauxval(3)), whose addresses are random, and 16 random bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

/// Hashes: the random bytes are a secret of the program. Each is empty if it is not known.
struct ProgramIdentity {
  std::string vector{};  // 16 hexadecimal digits
  std::string random{};

  /// Returns whether all that both know is the same.
  bool may_be(const ProgramIdentity& other) const;
  bool is_known() const { return !vector.empty(); }
};

/// `vector`: /proc/PID/auxv, or NT_AUXV of a core file.
ProgramIdentity program_identity(std::span<const std::byte> vector, const ProcessMemory& memory);

/// Returns that of a process that lives; an empty one if the kernel does not show it.
ProgramIdentity program_identity(pid_t process);

}  // namespace tcplab::capture
