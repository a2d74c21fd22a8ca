#include "capture/calls/untraced_clone.hh"

#include <asm/unistd.h>
#include <linux/sched.h>

#include <cstddef>

#include "capture/calls/call_registers.hh"
#include "capture/calls/tracee_layout.hh"

namespace tcplab::capture {

namespace {

constexpr std::uint64_t kFlag = CLONE_UNTRACED;

/// Returns the flags of clone(2) and clone3(2); 0 for another call, and if they cannot be read.
std::uint64_t clone_flags(pid_t thread, const SyscallInfo& info) {
  static_assert(offsetof(clone_args, flags) == 0);
  const CloneNumbers numbers = clone_numbers(abi_of(info.arch));
  if (info.entry.nr == numbers.clone) return info.entry.args[0];
  if (info.entry.nr != numbers.clone3) return 0;
  return read_value<std::uint64_t>(thread, info.entry.args[0]).value_or(0);
}

}  // namespace

CloneNumbers clone_numbers(Abi abi) {
  constexpr std::uint32_t kCloneOfI386 = 120;
  return {abi == Abi::i386 ? kCloneOfI386 : __NR_clone, __NR_clone3};
}

bool starts_untraced(pid_t thread, const SyscallInfo& info) {
  return (clone_flags(thread, info) & kFlag) != 0;
}

std::optional<UntracedClone> UntracedClone::clear(pid_t thread, const SyscallInfo& info) {
  const Abi abi = abi_of(info.arch);
  const bool is_in_memory = info.entry.nr == clone_numbers(abi).clone3;
  const UntracedClone clone(abi, is_in_memory ? info.entry.args[0] : 0, clone_flags(thread, info));
  if (!clone.write(thread, clone.flags_ & ~kFlag)) return std::nullopt;
  return clone;
}

void UntracedClone::restore(pid_t thread) const { write(thread, flags_); }

bool UntracedClone::write(pid_t thread, std::uint64_t flags) const {
  if (place_ == 0) return set_argument(thread, abi_, 0, flags);
  return write_word(thread, {place_, flags});
}

}  // namespace tcplab::capture
