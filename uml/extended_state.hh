// Reads and writes the floating-point state of the processes in which User-mode Linux (UML) runs
// its programs. It replaces UML's calls of ptrace(2), for two reasons:
// - UML's buffer has room for the state of AVX-512 (HOST_FP_SIZE). A processor with AMX has a
//   larger state. UML can read a part of it, but the machine's kernel refuses to write a part
//   (xstateregs_set()), and UML panics with "ptrace set fp regs failed". Here the buffer is larger.
// - UML writes the state each time that a process goes on, although it has rarely changed. That
//   took a quarter of the time of a system call. Here an unchanged state is not written.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>

namespace tcplab::uml {

/// ptrace(2) with PTRACE_GETREGSET or PTRACE_SETREGSET.
using RegisterSetCall = long (*)(int request, pid_t process, const void* kind, iovec* area);

/// The states of stopped processes. Too large for UML's small kernel stacks.
class ExtendedStates {
public:
  explicit constexpr ExtendedStates(RegisterSetCall call) : call_(call) {}

  /// Reads the state into `area`, as PTRACE_GETREGSET does, and remembers it.
  long read(pid_t process, iovec& area);

  /// Writes the state in `area`, unless the process is known to have it. Returns what ptrace(2)
  /// returns. Bytes beyond `area` keep their initial values: a program in a guest cannot change
  /// them, because it would need arch_prctl(ARCH_REQ_XCOMP_PERM), which UML does not have.
  long write(pid_t process, const iovec& area);

  /// Must be called before the process runs, or if its state is written in another way.
  void forget(pid_t process);

private:
  static constexpr std::size_t kLargest = 64 * 1024;  // with AMX it has 11,008 bytes
  static constexpr std::size_t kLargestPart = 4096;   // UML's buffer has 2696 bytes
  static constexpr std::size_t kKnown = 32;

  /// The part of a process's state that UML has read or written last. Process 0: none.
  struct Part {
    pid_t process = 0;
    std::size_t size = 0;
    std::array<unsigned char, kLargestPart> bytes{};
  };

  Part& place_of(pid_t process) { return known_[static_cast<std::size_t>(process) % kKnown]; }

  RegisterSetCall call_;
  std::size_t size_ = 0;  // of a whole state; 0: not known yet
  alignas(64) std::array<unsigned char, kLargest> whole_{};
  std::array<Part, kKnown> known_{};
};

}  // namespace tcplab::uml
