// Clears the flag CLONE_UNTRACED of clone(2), with which a program hides a child from its tracer.
// The child would inherit the filter, and without a tracer the filtered calls fail with ENOSYS
// (SECCOMP_RET_TRACE).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "capture/calls/abi.hh"
#include "capture/calls/ptrace.hh"

namespace tcplab::capture {

/// The numbers of the calls that start a process or a thread, and that take flags.
struct CloneNumbers {
  std::uint32_t clone = 0;
  std::uint32_t clone3 = 0;
};
CloneNumbers clone_numbers(Abi abi);

/// Returns whether the call at its entry is one that starts an untraced child.
bool starts_untraced(pid_t thread, const SyscallInfo& info);

/// The flag of one call, cleared from its entry to its return. A child that does not share the
/// memory of its parent keeps its copy of the cleared flag.
class UntracedClone {
public:
  /// Clears the flag at the entry of a call that starts_untraced(). Empty if the tracer cannot.
  static std::optional<UntracedClone> clear(pid_t thread, const SyscallInfo& info);
  /// Sets the flag again, at the return.
  void restore(pid_t thread) const;

private:
  UntracedClone(Abi abi, std::uint64_t place, std::uint64_t flags)
      : abi_(abi), place_(place), flags_(flags) {}
  bool write(pid_t thread, std::uint64_t flags) const;

  Abi abi_;
  std::uint64_t place_;  // of clone3(2): the address of the flags; 0: they are the first argument
  std::uint64_t flags_;
};

}  // namespace tcplab::capture
