#include "reports/coverage/coverage_calls.hh"

#include <array>
#include <cstdlib>
#include <utility>

#include "base/error.hh"

namespace tcplab::reports {

namespace {

constexpr std::string_view kFault = "dnc never gives the kernel a bad pointer";
constexpr std::string_view kOtherKernels =
    "other kernels (accept(2)); inet_csk_accept() has EINVAL, EAGAIN and EINTR";
constexpr std::string_view kMemory = "the kernel would have to run out of memory";

constexpr std::array kAnswers = {
    Answer{"bind", "0", "bound"},
    Answer{"bind", "EADDRINUSE", "somebody has the address (bind(2), ip(7))"},
    Answer{"bind", "EADDRNOTAVAIL", "not an address of this host (ip(7))"},
    Answer{"bind", "EINVAL", "bound already"},
    Answer{"bind", "EACCES", "a port below ip_unprivileged_port_start"},
    Answer{"bind", "EBADF", "not a descriptor"},
    Answer{"bind", "ENOTSOCK", "not a socket"},
    Answer{"bind", "EFAULT", "a bad address", kFault},

    Answer{"listen", "0", "listens"},
    Answer{"listen", "EADDRINUSE", "another socket listens there (listen(2))"},
    Answer{"listen", "EINVAL", "the socket has a connection (inet_listen())"},
    Answer{"listen", "EBADF", "not a descriptor"},
    Answer{"listen", "ENOTSOCK", "not a socket"},
    Answer{"listen", "EOPNOTSUPP", "not a socket that can listen", "TCP's can"},

    Answer{"connect", "0", "connected"},
    Answer{"connect", "ECONNREFUSED", "RST, or ICMP's port unreachable"},
    Answer{"connect", "ETIMEDOUT", "no answer in tcp_syn_retries' time"},
    Answer{"connect", "EHOSTUNREACH", "ICMP's host unreachable, or nobody answers ARP (ip(7))"},
    Answer{"connect", "ENETUNREACH", "no route"},
    Answer{"connect", "EACCES", "a route that is prohibited, or a broadcast address"},
    Answer{"connect", "EINVAL", "a route that is a black hole (fib_props[])"},
    Answer{"connect", "EPERM", "a firewall on this host refuses (connect(2))",
           "a SYN that a firewall drops is one that was lost (tcp_connect())"},
    Answer{"connect", "ENOPROTOOPT", "ICMP's protocol unreachable (icmp_err_convert)"},
    Answer{"connect", "EINPROGRESS", "does not block, or SO_SNDTIMEO has passed"},
    Answer{"connect", "EALREADY", "does not block, and is on its way"},
    Answer{"connect", "EISCONN", "has a connection"},
    Answer{"connect", "EADDRINUSE", "the four addresses and ports are in use",
           "Linux says EADDRNOTAVAIL (__inet_check_established())"},
    Answer{"connect", "EADDRNOTAVAIL", "no ephemeral port is left (ip(7)), or this one is taken"},
    Answer{"connect", "EINTR", "a signal was caught"},
    Answer{"connect", "ECONNABORTED", "ended before it began, with no error left to tell"},
    Answer{"connect", "ECONNRESET", "RST to a connection of simultaneous SYNs"},
    Answer{"connect", "EBADF", "not a descriptor"},
    Answer{"connect", "EAFNOSUPPORT", "an address of another family"},
    Answer{"connect", "EAGAIN", "no room in the routing cache", "Linux 3.6 removed that cache"},
    Answer{"connect", "ENOTSOCK", "not a socket"},
    Answer{"connect", "EPROTOTYPE", "of UNIX domain sockets", "not of TCP"},
    Answer{"connect", "EFAULT", "a bad address", kFault},

    Answer{"accept", "n", "a connection"},
    Answer{"accept", "EAGAIN", "does not block, and nobody has come"},
    Answer{"accept", "EINVAL", "does not listen"},
    Answer{"accept", "EMFILE", "this process has as many descriptors as it may"},
    Answer{"accept", "EINTR", "a signal was caught"},
    Answer{"accept", "EBADF", "not a descriptor"},
    Answer{"accept", "ECONNABORTED", "the connection has ended meanwhile",
           "Linux hands it out: read says what happened (inet_csk_accept())"},
    Answer{"accept", "ENFILE", "the system has as many files as it may",
           "fs.file-max is the whole machine's, not a host's"},
    Answer{"accept", "ENOMEM", "no memory", kMemory},
    Answer{"accept", "ENOBUFS", "no memory", kMemory},
    Answer{"accept", "ENOTSOCK", "not a socket"},
    Answer{"accept", "EOPNOTSUPP", "not a stream socket", "TCP's are"},
    Answer{"accept", "EPERM", "firewall rules forbid it",
           "no hook of netfilter is at accept (accept(2) says so of Linux)"},
    Answer{"accept", "EPROTO", "a protocol error", kOtherKernels},
    Answer{"accept", "ETIMEDOUT", "a network error of the new socket", kOtherKernels},
    Answer{"accept", "ENOSR", "no STREAMS resources", kOtherKernels},
    Answer{"accept", "ESOCKTNOSUPPORT", "a socket type that is not supported", kOtherKernels},
    Answer{"accept", "EPROTONOSUPPORT", "a protocol that is not supported", kOtherKernels},
    Answer{"accept", "EFAULT", "a bad address", kFault},

    Answer{"read", "n", "data"},
    Answer{"read", "0", "end of stream"},
    Answer{"read", "ECONNRESET", "RST"},
    Answer{"read", "ETIMEDOUT", "nothing was acknowledged for too long, or keepalive gave up"},
    Answer{"read", "EHOSTUNREACH", "the same, after the last hop or ARP said why"},
    Answer{"read", "ENETUNREACH", "the same, after a router said why"},
    Answer{"read", "ECONNREFUSED", "connecting failed"},
    Answer{"read", "ECONNABORTED", "ended by this host's administrator (ss -K, tcp_abort())"},
    Answer{"read", "EPIPE", "RST after the end of stream",
           "tcp_recvmsg() answers 0 after a FIN; SO_ERROR has it"},
    Answer{"read", "EAGAIN", "does not block, or SO_RCVTIMEO has passed"},
    Answer{"read", "ENOTCONN", "never connected"},
    Answer{"read", "EINTR", "a signal was caught"},
    Answer{"read", "EBADF", "not a descriptor"},
    Answer{"read", "EINVAL", "MSG_OOB, and no urgent data (tcp_recv_urg())"},
    Answer{"read", "ENOMEM", "no memory", kMemory},
    Answer{"read", "ENOTSOCK", "not a socket"},
    Answer{"read", "EFAULT", "a bad address", kFault},

    Answer{"write", "n", "all of it is in the send buffer"},
    Answer{"write", "short", "some of it is"},
    Answer{"write", "EPIPE", "shut down, or after an error that was told"},
    Answer{"write", "ECONNRESET", "RST"},
    Answer{"write", "ETIMEDOUT", "nothing was acknowledged for too long"},
    Answer{"write", "EHOSTUNREACH", "the same, after the last hop or ARP said why"},
    Answer{"write", "ENETUNREACH", "the same, after a router said why"},
    Answer{"write", "ECONNREFUSED", "connecting failed"},
    Answer{"write", "EAGAIN", "does not block, or SO_SNDTIMEO has passed: the buffer is full"},
    Answer{"write", "EINTR", "a signal was caught"},
    Answer{"write", "EBADF", "not a descriptor"},
    Answer{"write", "ENOTCONN", "never connected", "Linux says EPIPE (sk_stream_wait_connect())"},
    Answer{"write", "EDESTADDRREQ", "no peer", "of datagrams; TCP says EPIPE"},
    Answer{"write", "EISCONN", "a destination, though connected",
           "Linux's TCP ignores it (send(2))"},
    Answer{"write", "EMSGSIZE", "too big", "TCP sends a stream"},
    Answer{"write", "EALREADY", "Fast Open, and another thread's write still connects",
           "dnc has one thread (tcp_sendmsg_fastopen())"},
    Answer{"write", "EACCES", "a UNIX domain socket, or a broadcast by UDP", "not of TCP"},
    Answer{"write", "EOPNOTSUPP", "a flag that does not fit", "dnc offers those that fit TCP"},
    Answer{"write", "EINVAL", "an invalid argument", "dnc gives valid ones"},
    Answer{"write", "ENOBUFS", "a full queue",
           "Linux drops the segment, and sends it again (send(2))"},
    Answer{"write", "ENOMEM", "no memory", kMemory},
    Answer{"write", "ENOTSOCK", "not a socket"},
    Answer{"write", "EFAULT", "a bad address", kFault},

    Answer{"shutdown", "0", "done"},
    Answer{"shutdown", "ENOTCONN", "has no connection (any more)"},
    Answer{"shutdown", "EBADF", "not a descriptor"},
    Answer{"shutdown", "EINVAL", "not RD, WR or RDWR"},
    Answer{"shutdown", "ENOTSOCK", "not a socket"},

    Answer{"close", "0", "done"},
    Answer{"close", "EBADF", "not a descriptor"},
    Answer{"close", "EINTR", "a signal was caught",
           "tcp_close() keeps no error: SO_LINGER's wait ends with 0"},
    Answer{"close", "EIO", "of files", "not of sockets"},
    Answer{"close", "ENOSPC", "of files", "not of sockets"},

    Answer{"SO_ERROR", "0", "no error, or it was told already"},
    Answer{"SO_ERROR", "ECONNREFUSED", "RST in SYN_SENT (tcp_reset())"},
    Answer{"SO_ERROR", "EPIPE", "RST in CLOSE_WAIT (tcp_reset())"},
    Answer{"SO_ERROR", "ECONNRESET", "RST in another state (tcp_reset())"},
    Answer{"SO_ERROR", "ETIMEDOUT", "gave up (tcp_write_err())"},
    Answer{"SO_ERROR", "EHOSTUNREACH", "gave up, having been told why"},
    Answer{"SO_ERROR", "ENETUNREACH", "gave up, having been told why"},
    Answer{"SO_ERROR", "ENOPROTOOPT", "ICMP's protocol unreachable"},
    Answer{"SO_ERROR", "ECONNABORTED", "ended by this host's administrator (ss -K, tcp_abort())"},

    Answer{"poll", "timeout", "nothing in time"},
    Answer{"poll", "IN", "data, or somebody to accept"},
    Answer{"poll", "OUT", "room to write; connected"},
    Answer{"poll", "IN|OUT", "both"},
    Answer{"poll", "IN|RDHUP", "FIN: end of stream, this direction still flows"},
    Answer{"poll", "IN|OUT|RDHUP", "the same, with room to write"},
    Answer{"poll", "IN|HUP", "both directions are shut"},
    Answer{"poll", "IN|HUP|RDHUP", "both directions are shut"},
    Answer{"poll", "IN|OUT|HUP|RDHUP", "both directions are shut"},
    Answer{"poll", "IN|ERR|HUP", "an error ended the connection"},
    Answer{"poll", "ERR|HUP", "the same, where IN was not asked for"},
    Answer{"poll", "IN|ERR|HUP|RDHUP", "the same, where RDHUP was asked for"},
    Answer{"poll", "OUT|ERR|HUP", "connecting failed"},
    Answer{"poll", "IN|OUT|ERR|HUP", "the same, where IN was asked for"},
    Answer{"poll", "OUT|HUP", "never connected"},
    Answer{"poll", "HUP", "never connected, or both directions shut; nothing was asked for"},
    Answer{"poll", "IN|PRI", "urgent data"},
    Answer{"poll", "NVAL", "not a descriptor"},
};

/// recv(2) and its kin differ from read(2) in flags, not in what goes wrong.
std::string family_of(const std::string& call) {
  if (call.starts_with("recv")) return "read";
  if (call.starts_with("send")) return "write";
  if (call == "ppoll") return "poll";
  if (call == "accept4") return "accept";
  return call;
}

bool is_short(const capture::Call& call) {
  const long asked = std::strtol(call.arguments.c_str(), nullptr, 10);
  return call.result < asked;
}

std::string value_of(const capture::Call& call, const std::string& family) {
  if (call.result == -1) return base::errno_name(call.error);
  if (family == "poll") return call.result == 0 ? "timeout" : capture::poll_events(call.revents);
  if (family == "getsockopt") return base::errno_name(call.error);
  if (family == "write" && is_short(call)) return "short";
  return call.result == 0 ? "0" : "n";
}

}  // namespace

std::span<const Answer> known_answers() { return kAnswers; }

std::optional<CallAnswer> answer_of(const capture::Call& call) {
  constexpr int kStandardStreams = 3;
  if (call.phase != capture::CallPhase::leave) return std::nullopt;
  const std::string family = family_of(call.call);
  const bool is_poll = family == "poll";
  // What a program reads and writes there is no TCP; any other call has taken it for a socket.
  const bool is_stream = call.call == "read" || call.call == "write";
  if (is_stream && call.fd >= 0 && call.fd < kStandardStreams) return std::nullopt;
  if (is_poll && call.result > 0 && call.revents == 0) return std::nullopt;  // standard input's
  const bool is_option = family == "getsockopt";
  if (is_option && call.arguments.find("SO_ERROR") == std::string::npos) return std::nullopt;
  const std::string value = value_of(call, family);
  for (const Answer& answer : kAnswers)
    if (answer.call == family) return CallAnswer{family, value};
  if (is_option) return CallAnswer{"SO_ERROR", value};
  return std::nullopt;
}

}  // namespace tcplab::reports
