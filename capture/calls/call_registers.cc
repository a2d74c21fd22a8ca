#include "capture/calls/call_registers.hh"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include <array>
#include <cstddef>

namespace tcplab::capture {

namespace {

template <typename Set>
bool get_registers(pid_t thread, int kind, Set& registers) {
  iovec area{&registers, sizeof registers};
  return ::ptrace(PTRACE_GETREGSET, thread, kind, &area) == 0;
}

template <typename Set>
bool set_registers(pid_t thread, int kind, Set& registers) {
  iovec area{&registers, sizeof registers};
  return ::ptrace(PTRACE_SETREGSET, thread, kind, &area) == 0;
}

/// Changes the general registers of a thread.
template <typename Change>
bool change_registers(pid_t thread, Change change) {
  user_regs_struct registers{};
  if (!get_registers(thread, NT_PRSTATUS, registers)) return false;
  change(registers);
  return set_registers(thread, NT_PRSTATUS, registers);
}

}  // namespace

#if defined(__x86_64__)

bool skip_call(pid_t thread) {
  return change_registers(thread, [](auto& registers) { registers.orig_rax = ~0ULL; });
}

bool set_result(pid_t thread, std::int64_t result) {
  return change_registers(thread, [result](auto& registers) {
    registers.rax = static_cast<unsigned long long>(result);
  });
}

bool set_argument(pid_t thread, int index, std::uint64_t value) {
  return change_registers(thread, [index, value](user_regs_struct& registers) {
    const std::array arguments = {&registers.rdi, &registers.rsi, &registers.rdx,
                                  &registers.r10, &registers.r8,  &registers.r9};
    *arguments[static_cast<std::size_t>(index)] = value;
  });
}

#elif defined(__aarch64__)

/// The number of the call is in a register set of its own: compat and native code keep it in
/// different registers (arch/arm64/kernel/ptrace.c, system_call_set()).
bool skip_call(pid_t thread) {
  int number = -1;
  return set_registers(thread, NT_ARM_SYSTEM_CALL, number);
}

/// A result is in the register of the first argument.
bool set_result(pid_t thread, std::int64_t result) {
  return set_argument(thread, 0, static_cast<std::uint64_t>(result));
}

bool set_argument(pid_t thread, int index, std::uint64_t value) {
  return change_registers(thread, [index, value](auto& registers) {
    registers.regs[static_cast<std::size_t>(index)] = value;
  });
}

#else
#error "the tracer knows x86-64 and arm64"
#endif

}  // namespace tcplab::capture
