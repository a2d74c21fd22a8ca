#include "uml/extended_state.hh"

#include <elf.h>
#include <sys/ptrace.h>

#include <cstddef>
#include <cstring>

namespace tcplab::uml {

namespace {

constexpr std::size_t kLargestState = 64 * 1024;  // with AMX it has 11,008 bytes

// Not on the stack: UML's kernel stacks are smaller. It has only one thread.
alignas(64) unsigned char whole_state[kLargestState];

}  // namespace

long set_extended_state(RegisterSetCall call, pid_t process, const iovec& area) {
  const void* kind = reinterpret_cast<const void*>(static_cast<std::size_t>(NT_X86_XSTATE));
  iovec whole{whole_state, sizeof whole_state};
  if (call(PTRACE_GETREGSET, process, kind, &whole) == -1) return -1;
  if (whole.iov_len <= area.iov_len) {  // it fits
    iovec all = area;
    return call(PTRACE_SETREGSET, process, kind, &all);
  }
  std::memcpy(whole_state, area.iov_base, area.iov_len);
  return call(PTRACE_SETREGSET, process, kind, &whole);
}

}  // namespace tcplab::uml
