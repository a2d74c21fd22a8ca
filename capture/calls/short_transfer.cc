#include "capture/calls/short_transfer.hh"

#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <vector>

#include "capture/calls/call_registers.hh"

namespace tcplab::capture {

namespace {

using Kind = CallKind;

constexpr std::size_t kMostBuffers = 1024;  // UIO_MAXIOV in include/uapi/linux/uio.h

/// The argument that has the number of bytes; -1 if none has.
int size_argument(Kind kind) {
  if (kind == Kind::transfer || kind == Kind::datagram) return 2;
  if (kind == Kind::sendfile) return 3;
  return kind == Kind::splice ? 4 : -1;
}

std::uint64_t total(pid_t thread, TraceeAddress vector, std::uint64_t count) {
  if (count > kMostBuffers) return 0;
  std::uint64_t bytes = 0;
  for (const iovec& buffer : read_values<iovec>(thread, vector, count)) bytes += buffer.iov_len;
  return bytes;
}

}  // namespace

std::uint64_t bytes_asked(const CallStop& stop) {
  const int size = size_argument(stop.call->kind);
  if (size >= 0) return stop.arguments[static_cast<std::size_t>(size)];
  if (stop.call->kind == Kind::vector)
    return total(stop.thread, stop.arguments[1], stop.arguments[2]);
  if (stop.call->kind != Kind::message) return 0;
  const auto header = read_value<msghdr>(stop.thread, stop.arguments[1]);
  if (!header) return 0;
  return total(stop.thread, reinterpret_cast<TraceeAddress>(header->msg_iov), header->msg_iovlen);
}

ShortTransfer::ShortTransfer(const CallStop& stop, std::uint64_t bytes) {
  if (const int size = size_argument(stop.call->kind); size >= 0)
    limit_argument(stop, size, bytes);
  else if (stop.call->kind == Kind::vector)
    limit_argument(stop, 2, limit_vector(stop, stop.arguments[1], stop.arguments[2], bytes));
  else
    limit_message(stop, bytes);
}

void ShortTransfer::limit_message(const CallStop& stop, std::uint64_t bytes) {
  const auto header = read_value<msghdr>(stop.thread, stop.arguments[1]);
  if (!header) return;
  buffers_ = Word{stop.arguments[1] + offsetof(msghdr, msg_iovlen), header->msg_iovlen};
  const auto vector = reinterpret_cast<TraceeAddress>(header->msg_iov);
  write(stop.thread, {buffers_->address, limit_vector(stop, vector, header->msg_iovlen, bytes)});
}

void ShortTransfer::limit_argument(const CallStop& stop, int index, std::uint64_t value) {
  argument_ = index;
  set_argument(stop.thread, index, value);
}

/// Shortens the buffer in which the last byte is. Returns how many buffers are used.
std::uint64_t ShortTransfer::limit_vector(const CallStop& stop, TraceeAddress vector,
                                          std::uint64_t count, std::uint64_t bytes) {
  std::uint64_t before = 0;
  std::uint64_t used = 0;
  for (const iovec& buffer : read_values<iovec>(stop.thread, vector, count)) {
    const TraceeAddress place = vector + used++ * sizeof(iovec) + offsetof(iovec, iov_len);
    if (before + buffer.iov_len >= bytes) {
      length_ = Word{place, buffer.iov_len};
      write(stop.thread, {place, bytes - before});
      break;
    }
    before += buffer.iov_len;
  }
  return used;
}

/// Unlike process_vm_writev(2), ptrace(2) also writes to memory that the program cannot write to.
void ShortTransfer::write(pid_t thread, const Word& word) {
  ::ptrace(PTRACE_POKEDATA, thread, word.address, word.value);
}

void ShortTransfer::restore(const CallStop& stop) const {
  if (argument_ >= 0)
    set_argument(stop.thread, argument_, stop.arguments[static_cast<std::size_t>(argument_)]);
  if (length_) write(stop.thread, *length_);
  if (buffers_) write(stop.thread, *buffers_);
}

}  // namespace tcplab::capture
