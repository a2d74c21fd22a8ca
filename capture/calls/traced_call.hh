// The system calls that the tracer records, with their numbers on this architecture.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tcplab::capture {

/// What the arguments of a call mean: calls of one kind have the same arguments.
enum class CallKind : std::uint8_t {
  socket,         // domain, type, protocol
  connect,        // descriptor, address, its size
  accept,         // descriptor
  bind,           // descriptor, address, its size
  listen,         // descriptor, backlog
  transfer,       // descriptor, buffer, size: read, write
  vector,         // descriptor, iovec, count: readv, writev
  datagram,       // descriptor, buffer, size, flags: recvfrom, sendto
  message,        // descriptor, msghdr, flags
  messages,       // descriptor, mmsghdr, count, flags
  sendfile,       // to, from, offset, size
  splice,         // from, offset, to, offset, size, flags
  shutdown,       // descriptor, how
  close,          // descriptor
  close_range,    // first, last, flags
  duplicate,      // descriptor: dup
  replace,        // descriptor, the one that it replaces: dup2, dup3
  control,        // descriptor, command, argument: fcntl, ioctl
  poll,           // pollfd, count, timeout in ms
  ppoll,          // pollfd, count, timespec
  select,         // count, three sets, timeval
  pselect,        // count, three sets, timespec
  epoll_control,  // epoll, operation, descriptor, event
  epoll_wait,     // epoll, events, count, timeout in ms
  epoll_pwait2,   // epoll, events, count, timespec
  get_option,     // descriptor, level, option, value, its size
  set_option,     // descriptor, level, option, value, size
  restart,        // of a call that a signal interrupted; not recorded
  exit,           // of the whole process; not recorded
};

/// Which way a call moves data of its descriptor.
enum class DataDirection : std::uint8_t { none, receive, send };

/// Calls are traced only if one argument has one of some values: fcntl(2) for F_SETFL, say.
struct ArgumentFilter {
  int argument = -1;  // 0 to 5; -1: every call is traced
  std::span<const std::uint32_t> values;
};

struct TracedCall {
  std::string_view name;  // the kernel's, as strace writes it: "recvfrom"
  long number = -1;
  CallKind kind = CallKind::close;
  DataDirection direction = DataDirection::none;
  ArgumentFilter only{};
};

/// Every call that is traced on this architecture.
std::span<const TracedCall> traced_calls();

/// Returns nullptr if the call is not traced, or not with these arguments.
const TracedCall* find_traced_call(long number, std::span<const std::uint64_t> arguments);

}  // namespace tcplab::capture
