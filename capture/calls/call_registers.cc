#include "capture/calls/call_registers.hh"

#include <elf.h>
#include <linux/audit.h>
#include <sys/uio.h>
#include <sys/user.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

namespace tcplab::capture {

namespace {

std::optional<SyscallInfo> info_of_kernel(pid_t thread) {
  SyscallInfo info{};
  if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return std::nullopt;
  return info;
}

}  // namespace

#if defined(__x86_64__)

namespace {

/// User-mode Linux has no PTRACE_SETREGSET for these.
bool set_register(pid_t thread, std::size_t offset, std::uint64_t value) {
  return ::ptrace(PTRACE_POKEUSER, thread, offset, value) == 0;
}

/// In the order of the arguments (syscall(2)).
constexpr std::array kArguments = {offsetof(user_regs_struct, rdi), offsetof(user_regs_struct, rsi),
                                   offsetof(user_regs_struct, rdx), offsetof(user_regs_struct, r10),
                                   offsetof(user_regs_struct, r8),  offsetof(user_regs_struct, r9)};
constexpr std::array kArgumentsOfI386 = {
    offsetof(user_regs_struct, rbx), offsetof(user_regs_struct, rcx),
    offsetof(user_regs_struct, rdx), offsetof(user_regs_struct, rsi),
    offsetof(user_regs_struct, rdi), offsetof(user_regs_struct, rbp)};

std::optional<SyscallInfo> info_of_registers(pid_t thread, std::uint8_t kind) {
  user_regs_struct registers{};
  if (::ptrace(PTRACE_GETREGS, thread, nullptr, &registers) != 0) return std::nullopt;
  SyscallInfo info{};
  info.op = kind;
  info.arch = AUDIT_ARCH_X86_64;
  if (kind == PTRACE_SYSCALL_INFO_EXIT) {
    info.exit.rval = static_cast<std::int64_t>(registers.rax);
    return info;
  }
  // The members of `entry` are those of `seccomp`, too.
  info.entry.nr = registers.orig_rax;
  const std::array arguments = {registers.rdi, registers.rsi, registers.rdx,
                                registers.r10, registers.r8,  registers.r9};
  std::copy(arguments.begin(), arguments.end(), info.entry.args);
  return info;
}

}  // namespace

/// A kernel without PTRACE_GET_SYSCALL_INFO is asked for it only once.
std::optional<SyscallInfo> syscall_info(pid_t thread, std::uint8_t kind) {
  static bool is_supported = true;
  if (is_supported) {
    if (const auto info = info_of_kernel(thread)) return info;
    is_supported = errno != EIO;
  }
  return is_supported ? std::nullopt : info_of_registers(thread, kind);
}

bool skip_call(pid_t thread) {
  return set_register(thread, offsetof(user_regs_struct, orig_rax), ~std::uint64_t{0});
}

bool set_result(pid_t thread, std::int64_t result) {
  return set_register(thread, offsetof(user_regs_struct, rax), static_cast<std::uint64_t>(result));
}

bool set_argument(pid_t thread, Abi abi, int index, std::uint64_t value) {
  const auto& registers = abi == Abi::i386 ? kArgumentsOfI386 : kArguments;
  return set_register(thread, registers.at(static_cast<std::size_t>(index)), value);
}

#elif defined(__aarch64__)

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

}  // namespace

/// There is no User-mode Linux for this architecture.
std::optional<SyscallInfo> syscall_info(pid_t thread, std::uint8_t /*kind*/) {
  return info_of_kernel(thread);
}

/// The number of the call is in a register set of its own: compat and native code keep it in
/// different registers (arch/arm64/kernel/ptrace.c, system_call_set()).
bool skip_call(pid_t thread) {
  int number = -1;
  return set_registers(thread, NT_ARM_SYSTEM_CALL, number);
}

/// A result is in the register of the first argument.
bool set_result(pid_t thread, std::int64_t result) {
  return set_argument(thread, Abi::native, 0, static_cast<std::uint64_t>(result));
}

bool set_argument(pid_t thread, Abi /*abi*/, int index, std::uint64_t value) {
  user_regs_struct registers{};
  if (!get_registers(thread, NT_PRSTATUS, registers)) return false;
  registers.regs[static_cast<std::size_t>(index)] = value;
  return set_registers(thread, NT_PRSTATUS, registers);
}

#else
#error "the tracer knows x86-64 and arm64"
#endif

}  // namespace tcplab::capture
