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
    KnownOutcome{"bind", "EADDRINUSE", "the address is in use (bind(2), ip(7))"},
    KnownOutcome{"bind", "EADDRNOTAVAIL", "not an address of this host (ip(7))"},
    KnownOutcome{"bind", "EINVAL", "already bound"},
    KnownOutcome{"bind", "EACCES", "a port below ip_unprivileged_port_start"},
    KnownOutcome{"bind", "EBADF", "not a descriptor"},
    KnownOutcome{"bind", "ENOTSOCK", "not a socket"},
    KnownOutcome{"bind", "EFAULT", "a bad address", kFault},

    KnownOutcome{"listen", "0", "listening"},
    KnownOutcome{"listen", "EADDRINUSE", "another socket listens there (listen(2))"},
    KnownOutcome{"listen", "EINVAL", "the socket has a connection (inet_listen())"},
    KnownOutcome{"listen", "EBADF", "not a descriptor"},
    KnownOutcome{"listen", "ENOTSOCK", "not a socket"},
    KnownOutcome{"listen", "EOPNOTSUPP", "not a socket that can listen", "TCP sockets can"},

    KnownOutcome{"connect", "0", "connected"},
    KnownOutcome{"connect", "ECONNREFUSED", "RST, or ICMP port unreachable"},
    KnownOutcome{"connect", "ETIMEDOUT", "no answer to tcp_syn_retries SYNs"},
    KnownOutcome{"connect", "EHOSTUNREACH", "ICMP host unreachable, or no answer to ARP (ip(7))"},
    KnownOutcome{"connect", "ENETUNREACH", "no route"},
    KnownOutcome{"connect", "EACCES", "a prohibit route, or a broadcast address"},
    KnownOutcome{"connect", "EINVAL", "a blackhole route (fib_props[])"},
    KnownOutcome{"connect", "EPERM", "a firewall on this host refuses (connect(2))",
                 "Linux treats a SYN that a firewall drops as lost (tcp_connect())"},
    KnownOutcome{"connect", "ENOPROTOOPT", "ICMP protocol unreachable (icmp_err_convert)"},
    KnownOutcome{"connect", "EINPROGRESS", "non-blocking, or SO_SNDTIMEO has expired"},
    KnownOutcome{"connect", "EALREADY", "non-blocking, and still connecting"},
    KnownOutcome{"connect", "EISCONN", "already connected"},
    KnownOutcome{"connect", "EADDRINUSE", "both addresses and ports are already in use",
                 "Linux returns EADDRNOTAVAIL (__inet_check_established())"},
    KnownOutcome{"connect", "EADDRNOTAVAIL",
                 "no free ephemeral port (ip(7)), or the chosen port is in use"},
    KnownOutcome{"connect", "EINTR", "a signal was caught"},
    KnownOutcome{"connect", "ECONNABORTED", "connecting failed, and the error was already read"},
    KnownOutcome{"connect", "ECONNRESET", "RST during a simultaneous open"},
    KnownOutcome{"connect", "EBADF", "not a descriptor"},
    KnownOutcome{"connect", "EAFNOSUPPORT", "an address of another family"},
    KnownOutcome{"connect", "EAGAIN", "no room in the routing cache",
                 "Linux 3.6 removed that cache"},
    KnownOutcome{"connect", "ENOTSOCK", "not a socket"},
    KnownOutcome{"connect", "EPROTOTYPE", "only for UNIX domain sockets", "not for TCP"},
    KnownOutcome{"connect", "EFAULT", "a bad address", kFault},

    KnownOutcome{"accept", "n", "a connection"},
    KnownOutcome{"accept", "EAGAIN", "non-blocking, and no connection is waiting"},
    KnownOutcome{"accept", "EINVAL", "not listening"},
    KnownOutcome{"accept", "EMFILE", "the process has reached its limit of descriptors"},
    KnownOutcome{"accept", "EINTR", "a signal was caught"},
    KnownOutcome{"accept", "EBADF", "not a descriptor"},
    KnownOutcome{"accept", "ECONNABORTED", "the connection ended before accept",
                 "Linux accepts it, and read returns the error (inet_csk_accept())"},
    KnownOutcome{"accept", "ENFILE", "the system has reached its limit of files",
                 "fs.file-max applies to the whole machine, not to a host"},
    KnownOutcome{"accept", "ENOMEM", "no memory", kMemory},
    KnownOutcome{"accept", "ENOBUFS", "no memory", kMemory},
    KnownOutcome{"accept", "ENOTSOCK", "not a socket"},
    KnownOutcome{"accept", "EOPNOTSUPP", "not a stream socket", "TCP sockets are stream sockets"},
    KnownOutcome{"accept", "EPERM", "firewall rules forbid it",
                 "accept(2) lists it for Linux, but netfilter has no hook at accept"},
    KnownOutcome{"accept", "EPROTO", "a protocol error", kOtherKernels},
    KnownOutcome{"accept", "ETIMEDOUT", "a network error of the new socket", kOtherKernels},
    KnownOutcome{"accept", "ENOSR", "no STREAMS resources", kOtherKernels},
    KnownOutcome{"accept", "ESOCKTNOSUPPORT", "unsupported socket type", kOtherKernels},
    KnownOutcome{"accept", "EPROTONOSUPPORT", "unsupported protocol", kOtherKernels},
    KnownOutcome{"accept", "EFAULT", "a bad address", kFault},

    KnownOutcome{"read", "n", "data"},
    KnownOutcome{"read", "0", "end of stream"},
    KnownOutcome{"read", "ECONNRESET", "RST"},
    KnownOutcome{"read", "ETIMEDOUT", "retransmissions or keepalive probes gave up"},
    KnownOutcome{"read", "EHOSTUNREACH", "gave up, after ICMP host unreachable or failed ARP"},
    KnownOutcome{"read", "ENETUNREACH", "gave up, after ICMP network unreachable"},
    KnownOutcome{"read", "ECONNREFUSED", "connecting failed"},
    KnownOutcome{"read", "ECONNABORTED",
                 "aborted by this host's administrator (ss -K, tcp_abort())"},
    KnownOutcome{"read", "EPIPE", "RST after the end of stream",
                 "tcp_recvmsg() returns 0 after a FIN; only SO_ERROR returns EPIPE"},
    KnownOutcome{"read", "EAGAIN", "non-blocking, or SO_RCVTIMEO has expired"},
    KnownOutcome{"read", "ENOTCONN", "never connected"},
    KnownOutcome{"read", "EINTR", "a signal was caught"},
    KnownOutcome{"read", "EBADF", "not a descriptor"},
    KnownOutcome{"read", "EINVAL", "MSG_OOB without urgent data (tcp_recv_urg())"},
    KnownOutcome{"read", "ENOMEM", "no memory", kMemory},
    KnownOutcome{"read", "ENOTSOCK", "not a socket"},
    KnownOutcome{"read", "EFAULT", "a bad address", kFault},

    KnownOutcome{"write", "n", "all bytes are in the send buffer"},
    KnownOutcome{"write", "short", "some bytes are in the send buffer"},
    KnownOutcome{"write", "EPIPE", "shut down for writing, or the error was already read"},
    KnownOutcome{"write", "ECONNRESET", "RST"},
    KnownOutcome{"write", "ETIMEDOUT", "retransmissions gave up"},
    KnownOutcome{"write", "EHOSTUNREACH", "gave up, after ICMP host unreachable or failed ARP"},
    KnownOutcome{"write", "ENETUNREACH", "gave up, after ICMP network unreachable"},
    KnownOutcome{"write", "ECONNREFUSED", "connecting failed"},
    KnownOutcome{"write", "EAGAIN",
                 "the send buffer is full; non-blocking, or SO_SNDTIMEO has expired"},
    KnownOutcome{"write", "EINTR", "a signal was caught"},
    KnownOutcome{"write", "EBADF", "not a descriptor"},
    KnownOutcome{"write", "ENOTCONN", "never connected",
                 "Linux returns EPIPE (sk_stream_wait_connect())"},
    KnownOutcome{"write", "EDESTADDRREQ", "no peer", "only for datagrams; TCP returns EPIPE"},
    KnownOutcome{"write", "EISCONN", "connected, but a destination was given",
                 "Linux's TCP ignores the destination (send(2))"},
    KnownOutcome{"write", "EMSGSIZE", "the message is too big", "TCP has no messages"},
    KnownOutcome{"write", "EALREADY", "Fast Open, while another thread's write is connecting",
                 "dnc has one thread (tcp_sendmsg_fastopen())"},
    KnownOutcome{"write", "EACCES", "only for UNIX domain sockets and UDP broadcasts",
                 "not for TCP"},
    KnownOutcome{"write", "EOPNOTSUPP", "an unsupported flag", "dnc offers only flags of TCP"},
    KnownOutcome{"write", "EINVAL", "an invalid argument", "dnc passes valid arguments"},
    KnownOutcome{"write", "ENOBUFS", "a full queue",
                 "Linux drops the segment and retransmits it (send(2))"},
    KnownOutcome{"write", "ENOMEM", "no memory", kMemory},
    KnownOutcome{"write", "ENOTSOCK", "not a socket"},
    KnownOutcome{"write", "EFAULT", "a bad address", kFault},

    KnownOutcome{"shutdown", "0", "done"},
    KnownOutcome{"shutdown", "ENOTCONN", "not connected"},
    KnownOutcome{"shutdown", "EBADF", "not a descriptor"},
    KnownOutcome{"shutdown", "EINVAL", "not RD, WR or RDWR"},
    KnownOutcome{"shutdown", "ENOTSOCK", "not a socket"},

    KnownOutcome{"close", "0", "done"},
    KnownOutcome{"close", "EBADF", "not a descriptor"},
    KnownOutcome{"close", "EINTR", "a signal was caught",
                 "tcp_close() returns no error: an interrupted SO_LINGER wait returns 0"},
    KnownOutcome{"close", "EIO", "only for files", "not for sockets"},
    KnownOutcome{"close", "ENOSPC", "only for files", "not for sockets"},

    KnownOutcome{"SO_ERROR", "0", "no error, or it was already read"},
    KnownOutcome{"SO_ERROR", "ECONNREFUSED", "RST in SYN_SENT (tcp_reset())"},
    KnownOutcome{"SO_ERROR", "EPIPE", "RST in CLOSE_WAIT (tcp_reset())"},
    KnownOutcome{"SO_ERROR", "ECONNRESET", "RST in another state (tcp_reset())"},
    KnownOutcome{"SO_ERROR", "ETIMEDOUT", "gave up (tcp_write_err())"},
    KnownOutcome{"SO_ERROR", "EHOSTUNREACH", "gave up, after ICMP host unreachable or failed ARP"},
    KnownOutcome{"SO_ERROR", "ENETUNREACH", "gave up, after ICMP network unreachable"},
    KnownOutcome{"SO_ERROR", "ENOPROTOOPT", "ICMP protocol unreachable"},
    KnownOutcome{"SO_ERROR", "ECONNABORTED",
                 "aborted by this host's administrator (ss -K, tcp_abort())"},

    KnownOutcome{"poll", "timeout", "no event before the timeout"},
    KnownOutcome{"poll", "IN", "data, or a connection to accept"},
    KnownOutcome{"poll", "OUT", "room to write, or connected"},
    KnownOutcome{"poll", "IN|OUT", "both"},
    KnownOutcome{"poll", "IN|RDHUP", "FIN received; this side can still write"},
    KnownOutcome{"poll", "IN|OUT|RDHUP", "the same, with room to write"},
    KnownOutcome{"poll", "IN|HUP", "both directions are shut down"},
    KnownOutcome{"poll", "IN|HUP|RDHUP", "both directions are shut down"},
    KnownOutcome{"poll", "IN|OUT|HUP|RDHUP", "both directions are shut down"},
    KnownOutcome{"poll", "IN|ERR|HUP", "an error ended the connection"},
    KnownOutcome{"poll", "ERR|HUP", "the same, if IN was not requested"},
    KnownOutcome{"poll", "IN|ERR|HUP|RDHUP", "the same, if RDHUP was requested"},
    KnownOutcome{"poll", "OUT|ERR|HUP", "connecting failed"},
    KnownOutcome{"poll", "IN|OUT|ERR|HUP", "the same, if IN was requested"},
    KnownOutcome{"poll", "OUT|HUP", "never connected"},
    KnownOutcome{"poll", "HUP",
                 "never connected, or both directions shut down; no event requested"},
    KnownOutcome{"poll", "IN|PRI", "urgent data"},
    KnownOutcome{"poll", "NVAL", "not a descriptor"},
};

/// Maps recv(2) and similar calls to read(2), because they fail in the same ways.
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
  // An injected answer is not one of TCP.
  if (call.phase != capture::CallPhase::leave || call.injected) return std::nullopt;
  const std::string family = family_of(call.call);
  const bool is_poll = family == "poll";
  // Reads and writes on the standard streams are not TCP. Any other call means a socket.
  const bool is_stream = call.call == "read" || call.call == "write";
  if (is_stream && call.fd >= 0 && call.fd < kStandardStreams) return std::nullopt;
  if (is_poll && call.result > 0 && call.revents == 0) return std::nullopt;  // standard input only
  const bool is_option = family == "getsockopt";
  if (is_option && call.arguments.find("SO_ERROR") == std::string::npos) return std::nullopt;
  const std::string value = value_of(call, family);
  for (const KnownOutcome& answer : kAnswers)
    if (answer.call == family) return CallOutcome{family, value};
  if (is_option) return CallOutcome{"SO_ERROR", value};
  return std::nullopt;
}

}  // namespace tcplab::reports
