#include "capture/calls/short_transfer.hh"

#include <sys/uio.h>

#include <cstddef>

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

std::uint64_t total(const CallStop& stop, const BufferList& list) {
  if (list.count > kMostBuffers) return 0;
  std::uint64_t bytes = 0;
  for (const iovec& buffer : read_buffers(stop, list)) bytes += buffer.iov_len;
  return bytes;
}

void set_word(const CallStop& stop, int index, std::uint64_t value) {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  if (stop.arguments_at == 0)
    set_argument(stop.thread, stop.abi, index, value);
  else
    write_word(stop.thread,
               {stop.arguments_at + static_cast<std::size_t>(index) * kWord, value, kWord});
}

}  // namespace

std::uint64_t bytes_asked(const CallStop& stop) {
  const int size = size_argument(stop.call->kind);
  if (size >= 0) return stop.arguments[static_cast<std::size_t>(size)];
  if (stop.call->kind == Kind::vector) return total(stop, {stop.arguments[1], stop.arguments[2]});
  if (stop.call->kind != Kind::message) return 0;
  const auto list = read_message(stop, stop.arguments[1]);
  return list ? total(stop, *list) : 0;
}

ShortTransfer::ShortTransfer(const CallStop& stop, std::uint64_t bytes) {
  if (const int size = size_argument(stop.call->kind); size >= 0)
    limit_argument(stop, size, bytes);
  else if (stop.call->kind == Kind::vector)
    limit_argument(stop, 2, limit_vector(stop, {stop.arguments[1], stop.arguments[2]}, bytes));
  else
    limit_message(stop, bytes);
}

void ShortTransfer::limit_message(const CallStop& stop, std::uint64_t bytes) {
  const auto list = read_message(stop, stop.arguments[1]);
  if (!list) return;
  buffers_ = count_of_buffers(stop, stop.arguments[1], *list);
  TraceeWord fewer = *buffers_;
  fewer.value = limit_vector(stop, *list, bytes);
  write_word(stop.thread, fewer);
}

void ShortTransfer::limit_argument(const CallStop& stop, int index, std::uint64_t value) {
  argument_ = index;
  set_word(stop, index, value);
}

/// Shortens the buffer in which the last byte is. Returns how many buffers are used.
std::uint64_t ShortTransfer::limit_vector(const CallStop& stop, const BufferList& list,
                                          std::uint64_t bytes) {
  std::uint64_t before = 0;
  std::uint64_t used = 0;
  for (const iovec& buffer : read_buffers(stop, list)) {
    const TraceeWord length = length_of_buffer(stop, list, used++, buffer);
    if (before + buffer.iov_len >= bytes) {
      length_ = length;
      write_word(stop.thread, {length.address, bytes - before, length.size});
      break;
    }
    before += buffer.iov_len;
  }
  return used;
}

void ShortTransfer::restore(const CallStop& stop) const {
  if (argument_ >= 0)
    set_word(stop, argument_, stop.arguments[static_cast<std::size_t>(argument_)]);
  if (length_) write_word(stop.thread, *length_);
  if (buffers_) write_word(stop.thread, *buffers_);
}

}  // namespace tcplab::capture
