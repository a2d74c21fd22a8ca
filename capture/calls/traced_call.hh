// The system calls that the tracer records, with their numbers in each of a machine's ABIs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "capture/calls/abi.hh"

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

/// poll(2), select(2) and their kin.
constexpr bool waits_for_several(CallKind kind) {
  return kind == CallKind::poll || kind == CallKind::ppoll || kind == CallKind::select ||
         kind == CallKind::pselect;
}
constexpr bool is_epoll_wait(CallKind kind) {
  return kind == CallKind::epoll_wait || kind == CallKind::epoll_pwait2;
}

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
  bool has_wide_times = false;  // of 32-bit code: times of 64 bits, as in ppoll_time64
};

/// Every call of the ABI that is traced. Empty if this machine does not have the ABI.
std::span<const TracedCall> traced_calls(Abi abi);

/// Returns nullptr if the call is not traced, or not with these arguments.
const TracedCall* find_traced_call(Abi abi, long number, std::span<const std::uint64_t> arguments);

/// In the i386 ABI, one call makes all calls on sockets: socketcall(2). Its arguments are `which`
/// and the place of theirs.
constexpr long kSocketCall = 102;
/// Returns the call that socketcall(2) makes; nullptr if it is not traced, or not with these
/// arguments. Two have an older name of their own, send and recv, and are those with an address.
const TracedCall* find_socket_call(std::uint64_t which, std::span<const std::uint64_t> arguments);

}  // namespace tcplab::capture
