#include "capture/calls/tracee_memory.hh"

#include <sys/uio.h>

namespace tcplab::capture {

std::size_t read_tracee(pid_t thread, TraceeAddress address, std::span<std::byte> bytes) {
  if (bytes.empty()) return 0;
  const iovec local{bytes.data(), bytes.size()};
  const iovec remote{reinterpret_cast<void*>(address), bytes.size()};
  const ssize_t size = ::process_vm_readv(thread, &local, 1, &remote, 1, 0);
  return size < 0 ? 0 : static_cast<std::size_t>(size);
}

}  // namespace tcplab::capture
