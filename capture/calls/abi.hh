// The ways in which a program of this machine makes system calls.
#pragma once

#include <linux/audit.h>

#include <cstdint>

namespace tcplab::capture {

/// How a call passes its number, its arguments and what they point to. x86-64 also runs 32-bit
/// code, whose calls have other numbers, smaller words and other registers (int 0x80 in
/// syscall(2)).
enum class Abi : std::uint8_t { native, i386 };

/// Returns the ABI of an architecture: `arch` as in seccomp_data.
constexpr Abi abi_of([[maybe_unused]] std::uint32_t arch) {
#if defined(__x86_64__)
  if (arch == AUDIT_ARCH_I386) return Abi::i386;
#endif
  return Abi::native;
}

}  // namespace tcplab::capture
