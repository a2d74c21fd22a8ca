#include "uml/extended_state.hh"

#include <elf.h>
#include <sys/ptrace.h>

#include <cstring>

namespace tcplab::uml {

namespace {

const void* state_kind() {
  return reinterpret_cast<const void*>(static_cast<std::size_t>(NT_X86_XSTATE));
}

}  // namespace

long ExtendedStates::read(pid_t process, iovec& area) {
  forget(process);
  const long result = call_(PTRACE_GETREGSET, process, state_kind(), &area);
  if (result == -1 || area.iov_len > kLargestPart) return result;
  Part& known = place_of(process);
  known.process = process;
  known.size = area.iov_len;
  std::memcpy(known.bytes.data(), area.iov_base, area.iov_len);
  return result;
}

/// `area` may be larger than the processor's state, and than what was read.
long ExtendedStates::write(pid_t process, const iovec& area) {
  const Part& known = place_of(process);
  if (known.process == process && known.size <= area.iov_len &&
      std::memcmp(known.bytes.data(), area.iov_base, known.size) == 0)
    return 0;
  forget(process);
  iovec whole{whole_.data(), whole_.size()};
  if (size_ == 0) {
    if (call_(PTRACE_GETREGSET, process, state_kind(), &whole) == -1) return -1;
    size_ = whole.iov_len;
  }
  whole.iov_len = size_;
  if (size_ <= area.iov_len) {
    whole = area;
  } else {
    std::memcpy(whole_.data(), area.iov_base, area.iov_len);
  }
  return call_(PTRACE_SETREGSET, process, state_kind(), &whole);
}

void ExtendedStates::forget(pid_t process) {
  Part& known = place_of(process);
  if (known.process == process) known.process = 0;
}

}  // namespace tcplab::uml
