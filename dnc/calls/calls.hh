// The system calls, each recorded and otherwise untouched: one call of ours is one call of the
// kernel's, whatever it answers. No retry on EINTR, nothing smoothed over a short write.
#pragma once

#include <poll.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <span>
#include <string_view>

#include "dnc/calls/recorder.hh"
#include "dnc/calls/socket_address.hh"
#include "dnc/calls/socket_option.hh"

struct tcp_info;  // netinet/tcp.h

namespace tcplab::dnc {

/// What a call answered: its result, and errno when that is -1.
struct CallResult {
  long result = 0;
  int error = 0;

  bool failed() const { return result == -1; }
  int fd() const { return static_cast<int>(result); }
};

/// Does the caller know that it will not block: poll(2) has just said so, or it is a file?
enum class Readiness { unknown, ready };

/// What poll(2) is asked: standard input and the socket. An entry with fd -1 is ignored by the
/// kernel (poll(2)), which is what keeps a dead socket from being reported for ever.
struct PollSet {
  pollfd standard_input{.fd = -1, .events = 0, .revents = 0};
  pollfd socket{.fd = -1, .events = 0, .revents = 0};
};

/// poll(2)'s: nothing is for ever.
using PollTimeout = std::optional<std::chrono::milliseconds>;

/// A flag of send(2) and recv(2): "MSG_PEEK".
struct MessageFlag {
  std::string_view name;
  int flag = 0;
};

/// What ioctl(2) tells of a TCP socket (tcp(7)): how much is unread, unacknowledged, unsent.
struct SocketQuestion {
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

  /// sendmsg(2) and recvmsg(2) of one descriptor over a Unix socket (unix(7), SCM_RIGHTS).
  CallResult socket_pair(std::array<int, 2>& ends);
  CallResult pass(int channel, int fd);
  CallResult take(int channel, int& fd);

  /// A child that holds these sockets, and nothing else, until it is killed.
  CallResult fork(std::span<const int> sockets);
  CallResult kill(int pid);

  /// RLIMIT_NOFILE: descriptors from this number on are not given out (getrlimit(2)).
  CallResult limit_descriptors(int most);
  /// capset(2): may do from now on what an ordinary user may.
  CallResult drop_capabilities();

  CallResult ask(int fd, const SocketQuestion& question, int& value);  // ioctl(2)
  CallResult set_non_blocking(int fd, bool on);                        // fcntl(2) F_SETFL
  CallResult set_option(int fd, const SocketOption& option, const OptionValue& value);
  CallResult get_option(int fd, const SocketOption& option, OptionValue& value);

  CallResult get_tcp_info(int fd, tcp_info& info);

  /// getsockopt SO_ERROR: the error that the socket holds, which asking clears (socket(7)).
  CallResult take_error(int fd, int& error);

private:
  template <typename Call>
  CallResult make(CallRecord& record, Call call);

  Recorder& recorder_;
};

/// "SHUT_WR", empty for what is no direction; "MSG_PEEK|MSG_DONTWAIT", "0" for none.
std::string_view shutdown_name(int how);
std::span<const MessageFlag> message_flags();
std::span<const SocketQuestion> socket_questions();

/// `call` makes the one system call.
template <typename Call>
CallResult Calls::make(CallRecord& record, Call call) {
  recorder_.enter(record);
  errno = 0;
  record.result = call();
  record.error = record.failed() ? errno : 0;
  return {.result = static_cast<long>(record.result), .error = record.error};
}

}  // namespace tcplab::dnc
