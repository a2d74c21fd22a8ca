#include "dnc/calls/calls.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include "dnc/calls/sockets.hh"

namespace tcplab::dnc {

namespace {

constexpr std::array kMessageFlags = {
    MessageFlag{"MSG_OOB", MSG_OOB},           MessageFlag{"MSG_PEEK", MSG_PEEK},
    MessageFlag{"MSG_DONTWAIT", MSG_DONTWAIT}, MessageFlag{"MSG_NOSIGNAL", MSG_NOSIGNAL},
    MessageFlag{"MSG_WAITALL", MSG_WAITALL},   MessageFlag{"MSG_TRUNC", MSG_TRUNC},
    MessageFlag{"MSG_MORE", MSG_MORE},         MessageFlag{"MSG_EOR", MSG_EOR},
    MessageFlag{"MSG_ERRQUEUE", MSG_ERRQUEUE}, MessageFlag{"MSG_ZEROCOPY", MSG_ZEROCOPY},
    MessageFlag{"MSG_FASTOPEN", MSG_FASTOPEN},
};

void describe_entry(const pollfd& entry, ArgumentText& into) {
  if (entry.fd < 0) {
    into << "{fd -1}";
    return;
  }
  into << "{fd " << entry.fd << " ";
  poll_events(entry.events, into);
  into << "}";
}

std::int64_t signed_size(std::size_t size) { return static_cast<std::int64_t>(size); }

std::string_view received(const CallRecord& record, std::span<const char> buffer) {
  if (record.result <= 0) return {};
  return {buffer.data(), static_cast<std::size_t>(record.result)};
}

// MSG_TRUNC on a TCP socket counts bytes that it does not copy (tcp(7)).
std::string_view received_with(const CallRecord& record, std::span<const char> buffer, int flags) {
  return (flags & MSG_TRUNC) != 0 ? std::string_view{} : received(record, buffer);
}

}  // namespace

std::string_view shutdown_name(int how) {
  switch (how) {
    case SHUT_RD:
      return "SHUT_RD";
    case SHUT_WR:
      return "SHUT_WR";
    case SHUT_RDWR:
      return "SHUT_RDWR";
    default:
      return "";
  }
}

std::span<const MessageFlag> message_flags() { return kMessageFlags; }

void describe_flags(int flags, ArgumentText& into) {
  bool any = false;
  for (const auto& [name, flag] : kMessageFlags) {
    if ((flags & flag) == 0) continue;
    into << (any ? "|" : "") << name;
    any = true;
  }
  if (!any) into << "0";
}

CallResult Calls::socket(int family, bool non_blocking) {
  CallRecord record{.call = "socket"};
  record.arguments << (family == AF_INET6 ? "AF_INET6" : "AF_INET") << ", SOCK_STREAM"
                   << (non_blocking ? "|SOCK_NONBLOCK" : "");
  const int type = non_blocking ? SOCK_STREAM | SOCK_NONBLOCK : SOCK_STREAM;
  const CallResult answer = make(record, [family, type] { return sockets().socket(family, type); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::bind(int fd, const SocketAddress& address) {
  CallRecord record{.call = "bind", .fd = fd};
  record.arguments << address.to_string();
  const CallResult answer =
      make(record, [fd, &address] { return sockets().bind(fd, address.get(), address.size()); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::listen(int fd, int backlog) {
  CallRecord record{.call = "listen", .fd = fd};
  record.arguments << backlog;
  const CallResult answer = make(record, [fd, backlog] { return sockets().listen(fd, backlog); });
  if (!answer.failed()) record.local = sockets().local(fd);
  recorder_.leave(record);
  return answer;
}

CallResult Calls::accept(int fd) {
  CallRecord record{.call = "accept", .fd = fd, .waits = true};
  const CallResult answer = make(record, [fd] { return sockets().accept(fd); });
  if (!answer.failed()) {
    record.local = sockets().local(answer.fd());
    record.remote = sockets().remote(answer.fd());
  }
  recorder_.leave(record);
  return answer;
}

CallResult Calls::connect(int fd, const SocketAddress& address) {
  CallRecord record{.call = "connect", .fd = fd, .waits = true};
  record.arguments << address.to_string();
  const CallResult answer =
      make(record, [fd, &address] { return sockets().connect(fd, address.get(), address.size()); });
  record.remote = address.endpoint();
  // A connect in progress already has its final local address.
  if (!answer.failed() || answer.error == EINPROGRESS) record.local = sockets().local(fd);
  recorder_.leave(record);
  return answer;
}

CallResult Calls::poll(PollSet& set, PollTimeout timeout, Readiness readiness) {
  CallRecord record{.call = "poll", .fd = set.socket.fd, .waits = readiness == Readiness::unknown};
  describe_entry(set.standard_input, record.arguments);
  record.arguments << " ";
  describe_entry(set.socket, record.arguments);
  record.arguments << ", timeout ";
  if (timeout)
    record.arguments << timeout->count() << " ms";
  else
    record.arguments << "none";
  const int milliseconds = timeout ? static_cast<int>(timeout->count()) : -1;
  std::array<pollfd, 2> entries = {set.standard_input, set.socket};
  const CallResult answer =
      make(record, [&entries, milliseconds] { return sockets().poll(entries, milliseconds); });
  set.standard_input.revents = entries[0].revents;
  set.socket.revents = entries[1].revents;
  record.stdin_revents = entries[0].revents;
  record.revents = entries[1].revents;
  recorder_.leave(record);
  return answer;
}

CallResult Calls::read(int fd, std::span<char> buffer, Readiness readiness) {
  CallRecord record{.call = "read", .fd = fd, .waits = readiness == Readiness::unknown};
  record.arguments << signed_size(buffer.size());
  const CallResult answer = make(record, [fd, buffer] { return sockets().read(fd, buffer); });
  record.data = received(record, buffer);
  recorder_.leave(record);
  return answer;
}

CallResult Calls::write(int fd, std::string_view bytes, Readiness readiness) {
  // A write may block, or end this process with SIGPIPE; then buffered log lines would be lost.
  CallRecord record{.call = "write", .fd = fd, .waits = readiness == Readiness::unknown};
  record.arguments << signed_size(bytes.size());
  record.data = bytes;
  const CallResult answer = make(record, [fd, bytes] { return sockets().write(fd, bytes); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::receive(int fd, std::span<char> buffer, int flags) {
  CallRecord record{.call = "recv", .fd = fd, .waits = true};
  record.arguments << signed_size(buffer.size()) << ", ";
  describe_flags(flags, record.arguments);
  const CallResult answer =
      make(record, [fd, buffer, flags] { return sockets().receive(fd, buffer, flags); });
  record.data = received_with(record, buffer, flags);
  recorder_.leave(record);
  return answer;
}

CallResult Calls::send(int fd, std::string_view bytes, int flags) {
  CallRecord record{.call = "send", .fd = fd, .waits = true};
  record.arguments << signed_size(bytes.size()) << ", ";
  describe_flags(flags, record.arguments);
  record.data = bytes;
  // The kernel reads the bytes until the peer has acknowledged them.
  if ((flags & MSG_ZEROCOPY) != 0) bytes = zero_copied_.emplace_back(bytes);
  const CallResult answer =
      make(record, [fd, bytes, flags] { return sockets().send(fd, bytes, flags); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::shutdown(int fd, int how) {
  CallRecord record{.call = "shutdown", .fd = fd};
  const std::string_view name = shutdown_name(how);
  if (name.empty())
    record.arguments << std::int64_t{how};
  else
    record.arguments << name;
  const CallResult answer = make(record, [fd, how] { return sockets().shutdown(fd, how); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::close(int fd) {
  CallRecord record{.call = "close", .fd = fd, .waits = true};  // SO_LINGER can make it block
  const CallResult answer = make(record, [fd] { return sockets().close(fd); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::set_non_blocking(int fd, bool on) {
  CallRecord record{.call = "fcntl", .fd = fd};
  record.arguments << "F_SETFL, " << (on ? "O_RDWR|O_NONBLOCK" : "O_RDWR");
  const CallResult answer = make(record, [fd, on] { return sockets().set_non_blocking(fd, on); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::set_option(int fd, const SocketOption& option, const OptionValue& value) {
  CallRecord record{.call = "setsockopt", .fd = fd};
  record.arguments << option.name << " = " << value.to_string(option);
  const CallResult answer = make(record, [fd, &option, &value] {
    return sockets().set_option(fd, option.level, option.number, value.bytes());
  });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::get_option(int fd, const SocketOption& option, OptionValue& value) {
  CallRecord record{.call = "getsockopt", .fd = fd};
  record.arguments << option.name;
  const CallResult answer = make(record, [fd, &option, &value] {
    return sockets().get_option(fd, option.level, option.number, value.data(), &value.size());
  });
  const StoredOption stored(option, value);
  if (!answer.failed() && option.kind == OptionKind::error)
    record.option = value.as_number();
  else if (!answer.failed())
    record.stored = stored.value();
  recorder_.leave(record);
  return answer;
}

CallResult Calls::get_tcp_info(int fd, TcpInfo& info) {
  CallRecord record{.call = "getsockopt", .fd = fd};
  record.arguments << "TCP_INFO";
  socklen_t size = sizeof info;
  const CallResult answer = make(record, [fd, &info, &size] {
    return sockets().get_option(fd, IPPROTO_TCP, TCP_INFO, &info, &size);
  });
  const TcpInfoMembers members(info, size);
  if (!answer.failed()) record.stored.members = members.values();
  recorder_.leave(record);
  return answer;
}

CallResult Calls::take_error(int fd, int& error) {
  const SocketOption& option = *base::find_socket_option("SO_ERROR");
  OptionValue value(option);
  const CallResult answer = get_option(fd, option, value);
  error = answer.failed() ? answer.error : value.as_number();
  return answer;
}

}  // namespace tcplab::dnc
