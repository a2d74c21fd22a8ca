// The system calls of dnc. Each function makes exactly one system call, records it, and returns
// what the kernel answered. There is no retry after EINTR or after a short write.
#pragma once

#include <poll.h>

#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dnc/calls/made_call.hh"
#include "dnc/calls/recorder.hh"
#include "dnc/calls/socket_address.hh"
#include "dnc/calls/socket_option.hh"
#include "dnc/calls/tcp_info_text.hh"

namespace tcplab::dnc {

/// `ready` if the caller knows that the call will not block: poll(2) has just said so, or the
/// descriptor is a file.
enum class Readiness { unknown, ready };

/// The entries for poll(2): standard input and the socket. poll(2) ignores an entry with fd -1. So
/// that it does not report a dead socket forever, that socket's fd becomes -1.
struct PollSet {
  pollfd standard_input{.fd = -1, .events = 0, .revents = 0};
  pollfd socket{.fd = -1, .events = 0, .revents = 0};
};

/// The timeout of poll(2); nullopt waits forever.
using PollTimeout = std::optional<std::chrono::milliseconds>;

/// A flag of send(2) and recv(2): "MSG_PEEK".
struct MessageFlag {
  std::string_view name;
  int flag = 0;
};

/// An ioctl(2) request of a TCP socket (tcp(7)), such as for the number of unread bytes.
struct SocketIoctl {
  std::string_view name;          // "outq", for people
  std::string_view request_name;  // "SIOCOUTQ"
  unsigned long request = 0;
};

class Calls {
public:
  explicit Calls(Recorder& recorder) : recorder_(recorder) {}

  CallResult socket(int family, bool non_blocking = false);
  CallResult bind(int fd, const SocketAddress& address);
  CallResult listen(int fd, int backlog);
  CallResult accept(int fd);
  CallResult connect(int fd, const SocketAddress& address);
  CallResult poll(PollSet& set, PollTimeout timeout, Readiness readiness = Readiness::unknown);
  CallResult read(int fd, std::span<char> buffer, Readiness readiness = Readiness::unknown);
  CallResult write(int fd, std::string_view bytes, Readiness readiness = Readiness::unknown);
  CallResult receive(int fd, std::span<char> buffer, int flags);
  CallResult send(int fd, std::string_view bytes, int flags);
  CallResult shutdown(int fd, int how);
  CallResult close(int fd);
  CallResult duplicate(int fd);
  CallResult disconnect(int fd);  // connect(2) to AF_UNSPEC

  CallResult socket_pair(std::array<int, 2>& ends);
  /// Sends a descriptor over a Unix socket with sendmsg(2) (unix(7), SCM_RIGHTS).
  CallResult send_descriptor(int channel, int fd);
  /// Receives a descriptor from a Unix socket with recvmsg(2); fd is -1 if none came.
  CallResult receive_descriptor(int channel, int& fd);

  /// Starts a child that keeps only these sockets open, until it is killed, or, unless
  /// `outlives_us`, until dnc ends.
  CallResult fork(std::span<const int> held, bool outlives_us);
  CallResult kill(int pid);

  /// Sets RLIMIT_NOFILE: the kernel gives out only descriptors below `limit` (getrlimit(2)).
  CallResult limit_descriptors(int limit);
  /// Drops all capabilities with capset(2): dnc gets the privileges of an ordinary user.
  CallResult drop_capabilities();

  CallResult ioctl(int fd, const SocketIoctl& request, int& value);
  CallResult set_non_blocking(int fd, bool on);  // fcntl(2) F_SETFL
  CallResult set_option(int fd, const SocketOption& option, const OptionValue& value);
  CallResult get_option(int fd, const SocketOption& option, OptionValue& value);

  CallResult get_tcp_info(int fd, TcpInfo& info);

  /// Returns the socket's pending error with getsockopt SO_ERROR, which also clears it (socket(7)).
  CallResult take_error(int fd, int& error);

private:
  template <typename Call>
  CallResult make(CallRecord& record, Call call);

  Recorder& recorder_;
  std::deque<std::string> zero_copied_;  // what was sent with MSG_ZEROCOPY
};

/// Returns "SHUT_WR"; empty if `how` is not valid.
std::string_view shutdown_name(int how);
std::span<const MessageFlag> message_flags();
/// Writes "MSG_PEEK|MSG_DONTWAIT"; "0" if there is none.
void describe_flags(int flags, ArgumentText& into);
std::span<const SocketIoctl> socket_ioctls();

template <typename Call>
CallResult Calls::make(CallRecord& record, Call call) {
  return make_call(recorder_, record, call);
}

}  // namespace tcplab::dnc
