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
    KnownOutcome{"bind", "0", "bound"},
    KnownOutcome{"bind", "EADDRINUSE", "somebody has the address (bind(2), ip(7))"},
    KnownOutcome{"bind", "EADDRNOTAVAIL", "not an address of this host (ip(7))"},
    KnownOutcome{"bind", "EINVAL", "bound already"},
    KnownOutcome{"bind", "EACCES", "a port below ip_unprivileged_port_start"},
    KnownOutcome{"bind", "EBADF", "not a descriptor"},
    KnownOutcome{"bind", "ENOTSOCK", "not a socket"},
    KnownOutcome{"bind", "EFAULT", "a bad address", kFault},

    KnownOutcome{"listen", "0", "listens"},
    KnownOutcome{"listen", "EADDRINUSE", "another socket listens there (listen(2))"},
    KnownOutcome{"listen", "EINVAL", "the socket has a connection (inet_listen())"},
    KnownOutcome{"listen", "EBADF", "not a descriptor"},
    KnownOutcome{"listen", "ENOTSOCK", "not a socket"},
    KnownOutcome{"listen", "EOPNOTSUPP", "not a socket that can listen", "TCP's can"},

    KnownOutcome{"connect", "0", "connected"},
    KnownOutcome{"connect", "ECONNREFUSED", "RST, or ICMP's port unreachable"},
    KnownOutcome{"connect", "ETIMEDOUT", "no answer in tcp_syn_retries' time"},
    KnownOutcome{"connect", "EHOSTUNREACH",
                 "ICMP's host unreachable, or nobody answers ARP (ip(7))"},
    KnownOutcome{"connect", "ENETUNREACH", "no route"},
    KnownOutcome{"connect", "EACCES", "a route that is prohibited, or a broadcast address"},
    KnownOutcome{"connect", "EINVAL", "a route that is a black hole (fib_props[])"},
    KnownOutcome{"connect", "EPERM", "a firewall on this host refuses (connect(2))",
                 "a SYN that a firewall drops is one that was lost (tcp_connect())"},
    KnownOutcome{"connect", "ENOPROTOOPT", "ICMP's protocol unreachable (icmp_err_convert)"},
    KnownOutcome{"connect", "EINPROGRESS", "does not block, or SO_SNDTIMEO has passed"},
    KnownOutcome{"connect", "EALREADY", "does not block, and is on its way"},
    KnownOutcome{"connect", "EISCONN", "has a connection"},
    KnownOutcome{"connect", "EADDRINUSE", "the four addresses and ports are in use",
                 "Linux says EADDRNOTAVAIL (__inet_check_established())"},
    KnownOutcome{"connect", "EADDRNOTAVAIL",
                 "no ephemeral port is left (ip(7)), or this one is taken"},
    KnownOutcome{"connect", "EINTR", "a signal was caught"},
    KnownOutcome{"connect", "ECONNABORTED", "ended before it began, with no error left to tell"},
    KnownOutcome{"connect", "ECONNRESET", "RST to a connection of simultaneous SYNs"},
    KnownOutcome{"connect", "EBADF", "not a descriptor"},
    KnownOutcome{"connect", "EAFNOSUPPORT", "an address of another family"},
    KnownOutcome{"connect", "EAGAIN", "no room in the routing cache",
                 "Linux 3.6 removed that cache"},
    KnownOutcome{"connect", "ENOTSOCK", "not a socket"},
    KnownOutcome{"connect", "EPROTOTYPE", "of UNIX domain sockets", "not of TCP"},
    KnownOutcome{"connect", "EFAULT", "a bad address", kFault},

    KnownOutcome{"accept", "n", "a connection"},
    KnownOutcome{"accept", "EAGAIN", "does not block, and nobody has come"},
    KnownOutcome{"accept", "EINVAL", "does not listen"},
    KnownOutcome{"accept", "EMFILE", "this process has as many descriptors as it may"},
    KnownOutcome{"accept", "EINTR", "a signal was caught"},
    KnownOutcome{"accept", "EBADF", "not a descriptor"},
    KnownOutcome{"accept", "ECONNABORTED", "the connection has ended meanwhile",
                 "Linux hands it out: read says what happened (inet_csk_accept())"},
    KnownOutcome{"accept", "ENFILE", "the system has as many files as it may",
                 "fs.file-max is the whole machine's, not a host's"},
    KnownOutcome{"accept", "ENOMEM", "no memory", kMemory},
    KnownOutcome{"accept", "ENOBUFS", "no memory", kMemory},
    KnownOutcome{"accept", "ENOTSOCK", "not a socket"},
    KnownOutcome{"accept", "EOPNOTSUPP", "not a stream socket", "TCP's are"},
    KnownOutcome{"accept", "EPERM", "firewall rules forbid it",
                 "no hook of netfilter is at accept (accept(2) says so of Linux)"},
    KnownOutcome{"accept", "EPROTO", "a protocol error", kOtherKernels},
    KnownOutcome{"accept", "ETIMEDOUT", "a network error of the new socket", kOtherKernels},
    KnownOutcome{"accept", "ENOSR", "no STREAMS resources", kOtherKernels},
    KnownOutcome{"accept", "ESOCKTNOSUPPORT", "a socket type that is not supported", kOtherKernels},
    KnownOutcome{"accept", "EPROTONOSUPPORT", "a protocol that is not supported", kOtherKernels},
    KnownOutcome{"accept", "EFAULT", "a bad address", kFault},

    KnownOutcome{"read", "n", "data"},
    KnownOutcome{"read", "0", "end of stream"},
    KnownOutcome{"read", "ECONNRESET", "RST"},
    KnownOutcome{"read", "ETIMEDOUT",
                 "nothing was acknowledged for too long, or keepalive gave up"},
    KnownOutcome{"read", "EHOSTUNREACH", "the same, after the last hop or ARP said why"},
    KnownOutcome{"read", "ENETUNREACH", "the same, after a router said why"},
    KnownOutcome{"read", "ECONNREFUSED", "connecting failed"},
    KnownOutcome{"read", "ECONNABORTED", "ended by this host's administrator (ss -K, tcp_abort())"},
    KnownOutcome{"read", "EPIPE", "RST after the end of stream",
                 "tcp_recvmsg() answers 0 after a FIN; SO_ERROR has it"},
    KnownOutcome{"read", "EAGAIN", "does not block, or SO_RCVTIMEO has passed"},
    KnownOutcome{"read", "ENOTCONN", "never connected"},
    KnownOutcome{"read", "EINTR", "a signal was caught"},
    KnownOutcome{"read", "EBADF", "not a descriptor"},
    KnownOutcome{"read", "EINVAL", "MSG_OOB, and no urgent data (tcp_recv_urg())"},
    KnownOutcome{"read", "ENOMEM", "no memory", kMemory},
    KnownOutcome{"read", "ENOTSOCK", "not a socket"},
    KnownOutcome{"read", "EFAULT", "a bad address", kFault},

    KnownOutcome{"write", "n", "all of it is in the send buffer"},
    KnownOutcome{"write", "short", "some of it is"},
    KnownOutcome{"write", "EPIPE", "shut down, or after an error that was told"},
    KnownOutcome{"write", "ECONNRESET", "RST"},
    KnownOutcome{"write", "ETIMEDOUT", "nothing was acknowledged for too long"},
    KnownOutcome{"write", "EHOSTUNREACH", "the same, after the last hop or ARP said why"},
    KnownOutcome{"write", "ENETUNREACH", "the same, after a router said why"},
    KnownOutcome{"write", "ECONNREFUSED", "connecting failed"},
    KnownOutcome{"write", "EAGAIN",
                 "does not block, or SO_SNDTIMEO has passed: the buffer is full"},
    KnownOutcome{"write", "EINTR", "a signal was caught"},
    KnownOutcome{"write", "EBADF", "not a descriptor"},
    KnownOutcome{"write", "ENOTCONN", "never connected",
                 "Linux says EPIPE (sk_stream_wait_connect())"},
    KnownOutcome{"write", "EDESTADDRREQ", "no peer", "of datagrams; TCP says EPIPE"},
    KnownOutcome{"write", "EISCONN", "a destination, though connected",
                 "Linux's TCP ignores it (send(2))"},
    KnownOutcome{"write", "EMSGSIZE", "too big", "TCP sends a stream"},
    KnownOutcome{"write", "EALREADY", "Fast Open, and another thread's write still connects",
                 "dnc has one thread (tcp_sendmsg_fastopen())"},
    KnownOutcome{"write", "EACCES", "a UNIX domain socket, or a broadcast by UDP", "not of TCP"},
    KnownOutcome{"write", "EOPNOTSUPP", "a flag that does not fit",
                 "dnc offers those that fit TCP"},
    KnownOutcome{"write", "EINVAL", "an invalid argument", "dnc gives valid ones"},
    KnownOutcome{"write", "ENOBUFS", "a full queue",
                 "Linux drops the segment, and sends it again (send(2))"},
    KnownOutcome{"write", "ENOMEM", "no memory", kMemory},
    KnownOutcome{"write", "ENOTSOCK", "not a socket"},
    KnownOutcome{"write", "EFAULT", "a bad address", kFault},

    KnownOutcome{"shutdown", "0", "done"},
    KnownOutcome{"shutdown", "ENOTCONN", "has no connection (any more)"},
    KnownOutcome{"shutdown", "EBADF", "not a descriptor"},
    KnownOutcome{"shutdown", "EINVAL", "not RD, WR or RDWR"},
    KnownOutcome{"shutdown", "ENOTSOCK", "not a socket"},

    KnownOutcome{"close", "0", "done"},
    KnownOutcome{"close", "EBADF", "not a descriptor"},
    KnownOutcome{"close", "EINTR", "a signal was caught",
                 "tcp_close() keeps no error: SO_LINGER's wait ends with 0"},
    KnownOutcome{"close", "EIO", "of files", "not of sockets"},
    KnownOutcome{"close", "ENOSPC", "of files", "not of sockets"},

    KnownOutcome{"SO_ERROR", "0", "no error, or it was told already"},
    KnownOutcome{"SO_ERROR", "ECONNREFUSED", "RST in SYN_SENT (tcp_reset())"},
    KnownOutcome{"SO_ERROR", "EPIPE", "RST in CLOSE_WAIT (tcp_reset())"},
    KnownOutcome{"SO_ERROR", "ECONNRESET", "RST in another state (tcp_reset())"},
    KnownOutcome{"SO_ERROR", "ETIMEDOUT", "gave up (tcp_write_err())"},
    KnownOutcome{"SO_ERROR", "EHOSTUNREACH", "gave up, having been told why"},
    KnownOutcome{"SO_ERROR", "ENETUNREACH", "gave up, having been told why"},
    KnownOutcome{"SO_ERROR", "ENOPROTOOPT", "ICMP's protocol unreachable"},
    KnownOutcome{"SO_ERROR", "ECONNABORTED",
                 "ended by this host's administrator (ss -K, tcp_abort())"},

    KnownOutcome{"poll", "timeout", "nothing in time"},
    KnownOutcome{"poll", "IN", "data, or somebody to accept"},
    KnownOutcome{"poll", "OUT", "room to write; connected"},
    KnownOutcome{"poll", "IN|OUT", "both"},
    KnownOutcome{"poll", "IN|RDHUP", "FIN: end of stream, this direction still flows"},
    KnownOutcome{"poll", "IN|OUT|RDHUP", "the same, with room to write"},
    KnownOutcome{"poll", "IN|HUP", "both directions are shut"},
    KnownOutcome{"poll", "IN|HUP|RDHUP", "both directions are shut"},
    KnownOutcome{"poll", "IN|OUT|HUP|RDHUP", "both directions are shut"},
    KnownOutcome{"poll", "IN|ERR|HUP", "an error ended the connection"},
    KnownOutcome{"poll", "ERR|HUP", "the same, where IN was not asked for"},
    KnownOutcome{"poll", "IN|ERR|HUP|RDHUP", "the same, where RDHUP was asked for"},
    KnownOutcome{"poll", "OUT|ERR|HUP", "connecting failed"},
    KnownOutcome{"poll", "IN|OUT|ERR|HUP", "the same, where IN was asked for"},
    KnownOutcome{"poll", "OUT|HUP", "never connected"},
    KnownOutcome{"poll", "HUP", "never connected, or both directions shut; nothing was asked for"},
    KnownOutcome{"poll", "IN|PRI", "urgent data"},
    KnownOutcome{"poll", "NVAL", "not a descriptor"},
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

std::span<const KnownOutcome> known_outcomes() { return kAnswers; }

std::optional<CallOutcome> answer_of(const capture::Call& call) {
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
  for (const KnownOutcome& answer : kAnswers)
    if (answer.call == family) return CallOutcome{family, value};
  if (is_option) return CallOutcome{"SO_ERROR", value};
  return std::nullopt;
}

}  // namespace tcplab::reports
