#include "dnc/netcat/opening.hh"

#include <algorithm>
#include <cerrno>

#include "base/clock.hh"
#include "dnc/log/console.hh"

namespace tcplab::dnc {

namespace {

using std::chrono::milliseconds;

}  // namespace

template <typename Attempt>
std::optional<int> Opening::try_each(std::span<const SocketAddress> addresses, bool non_blocking,
                                     Attempt attempt) {
  last_ = {.call = "socket", .error = EAFNOSUPPORT};
  for (const SocketAddress& address : addresses) {
    const CallResult socket = calls_.socket(address.family(), non_blocking);
    if (socket.failed()) {
      last_ = {"socket", socket.error};
      continue;
    }
    const Problem problem = attempt(socket.fd(), address);
    if (!problem) return socket.fd();
    last_ = *problem;
    calls_.close(socket.fd());
  }
  return std::nullopt;
}

std::optional<int> Opening::connect(std::span<const SocketAddress> addresses) {
  const auto socket = try_to_connect(addresses);
  if (!socket) print_error(last_.call, last_.error);
  return socket;
}

std::optional<int> Opening::try_to_connect(std::span<const SocketAddress> addresses) {
  return try_each(addresses, non_blocking_connect(), [this](int fd, const SocketAddress& address) {
    return connect_one(fd, address);
  });
}

std::optional<int> Opening::listen(std::span<const SocketAddress> addresses) {
  const auto attempt = [this](int fd, const SocketAddress& address) {
    return listen_one(fd, address);
  };
  for (const SocketAddress& address : addresses) {
    if (const auto socket = try_each({&address, 1}, false, attempt)) return socket;
    if (last_.error == EADDRINUSE) break;  // although it may be free for the other family
  }
  print_error(last_.call, last_.error);
  return std::nullopt;
}

bool Opening::prepare_accepted(int fd) {
  if (const Problem problem = set_connection_options(fd)) {
    print_error(problem->call, problem->error);
    return false;
  }
  return !options_.settings.non_blocking || !calls_.set_non_blocking(fd, true).failed();
}

// connect(2) has no timeout, so --timeout needs a non-blocking connect.
bool Opening::non_blocking_connect() const {
  return options_.settings.non_blocking || options_.timeout.has_value();
}

Opening::Problem Opening::connect_one(int fd, const SocketAddress& address) {
  if (const Problem problem = set_buffers(fd)) return problem;
  if (const Problem problem = set_connection_options(fd)) return problem;
  if (const Problem problem = bind_source(fd, address.family())) return problem;
  const CallResult answer = calls_.connect(fd, address);
  if (answer.failed()) {
    // After EINTR the connect continues (connect(2)), so wait for it as after EINPROGRESS.
    if (answer.error != EINPROGRESS && answer.error != EINTR)
      return Failure{"connect", answer.error};
    if (const Problem problem = finish_connecting(fd)) return problem;
  }
  if (!non_blocking_connect() || options_.settings.non_blocking) return std::nullopt;
  const CallResult blocking = calls_.set_non_blocking(fd, false);
  if (blocking.failed()) return Failure{"fcntl", blocking.error};
  return std::nullopt;
}

Opening::Problem Opening::bind_source(int fd, int family) {
  if (options_.source_address.empty() && options_.source_port.empty()) return std::nullopt;
  const auto only = family == AF_INET ? base::Family::ipv4 : base::Family::ipv6;
  const auto sources = resolve({.host = options_.source_address,
                                .port = options_.source_port.empty() ? "0" : options_.source_port,
                                .family = only,
                                .numeric = options_.numeric});
  const CallResult answer = calls_.bind(fd, sources.front());
  if (answer.failed()) return Failure{"bind", answer.error};
  return std::nullopt;
}

Opening::Problem Opening::finish_connecting(int fd) {
  const auto deadline = base::now() + options_.timeout.value_or(milliseconds(0));
  while (true) {
    PollSet set;
    set.socket = {.fd = fd, .events = POLLOUT, .revents = 0};
    PollTimeout left;
    if (options_.timeout)
      left = std::max(milliseconds(0), std::chrono::ceil<milliseconds>(deadline - base::now()));
    const CallResult answer = calls_.poll(set, left);
    if (answer.result > 0) break;
    if (answer.result == 0) return Failure{"connect", ETIMEDOUT};
    if (answer.error != EINTR) return Failure{"poll", answer.error};
  }
  int error = 0;
  calls_.take_error(fd, error);
  if (error != 0) return Failure{"connect", error};
  return std::nullopt;
}

Opening::Problem Opening::listen_one(int fd, const SocketAddress& address) {
  if (options_.settings.reuse_address)
    if (const Problem problem = set(fd, "SO_REUSEADDR", 1)) return problem;
  if (options_.family == base::Family::ipv6)
    if (const Problem problem = set(fd, "IPV6_V6ONLY", 1)) return problem;
  if (const Problem problem = set_buffers(fd)) return problem;
  if (const CallResult bound = calls_.bind(fd, address); bound.failed())
    return Failure{"bind", bound.error};
  if (const CallResult listening = calls_.listen(fd, options_.settings.backlog); listening.failed())
    return Failure{"listen", listening.error};
  return std::nullopt;
}

// Sets the buffers before the handshake, which chooses the window scale (tcp(7)). Accepted sockets
// inherit them from the listener.
Opening::Problem Opening::set_buffers(int fd) {
  if (options_.settings.send_buffer)
    if (const Problem problem = set(fd, "SO_SNDBUF", *options_.settings.send_buffer))
      return problem;
  if (options_.settings.receive_buffer)
    return set(fd, "SO_RCVBUF", *options_.settings.receive_buffer);
  return std::nullopt;
}

Opening::Problem Opening::set_connection_options(int fd) {
  const SocketSettings& settings = options_.settings;
  if (settings.no_delay)
    if (const Problem problem = set(fd, "TCP_NODELAY", 1)) return problem;
  if (settings.linger) {
    const SocketOption& option = *base::find_socket_option("SO_LINGER");
    const CallResult answer =
        calls_.set_option(fd, option, OptionValue::linger(option, *settings.linger));
    if (answer.failed()) return Failure{"setsockopt SO_LINGER", answer.error};
  }
  if (settings.user_timeout)
    if (const Problem problem =
            set(fd, "TCP_USER_TIMEOUT", static_cast<int>(settings.user_timeout->count())))
      return problem;
  return settings.keepalive ? set_keepalive(fd, *settings.keepalive) : std::nullopt;
}

Opening::Problem Opening::set_keepalive(int fd, const Keepalive& keepalive) {
  const std::pair<std::string_view, std::optional<int>> parts[] = {
      {"TCP_KEEPIDLE", keepalive.idle},
      {"TCP_KEEPINTVL", keepalive.interval},
      {"TCP_KEEPCNT", keepalive.count}};
  for (const auto& [option, value] : parts)
    if (value)
      if (const Problem problem = set(fd, option, *value)) return problem;
  return set(fd, "SO_KEEPALIVE", 1);
}

Opening::Problem Opening::set(int fd, std::string_view name, int value) {
  const SocketOption& option = *base::find_socket_option(name);
  const CallResult answer = calls_.set_option(fd, option, OptionValue::number(option, value));
  if (answer.failed()) return Failure{"setsockopt", answer.error};
  return std::nullopt;
}

}  // namespace tcplab::dnc
