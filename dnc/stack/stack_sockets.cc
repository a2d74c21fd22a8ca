#include "dnc/stack/stack_sockets.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "base/error.hh"
#include "base/socket_options.hh"
#include "dnc/calls/calls.hh"

namespace tcplab::dnc {

namespace {

/// Returns the result of a call, and sets errno.
template <typename Result>
Result returned(const StackAnswer& answer) {
  errno = answer.error;
  return static_cast<Result>(answer.result);
}

int fail_with(int error) {
  errno = error;
  return -1;
}

std::string address_words(const sockaddr* address, socklen_t size) {
  const base::Endpoint endpoint = SocketAddress(address, size).endpoint();
  return endpoint.address.to_string() + " " + std::to_string(endpoint.port);
}

/// "MSG_OOB|MSG_DONTWAIT"; "0" for none.
std::string flag_words(int flags) {
  ArgumentText words;
  describe_flags(flags, words);
  return std::string(words.view());
}

int load_number(std::span<const std::byte> value) {
  int number = 0;
  std::memcpy(&number, value.data(), std::min(sizeof number, value.size()));
  return number;
}

}  // namespace

StackAnswer StackSockets::ask(const char* call, int fd, const std::string& arguments) {
  std::string request = call;
  if (const auto known = numbers_.find(fd); known != numbers_.end())
    request += " " + std::to_string(known->second.number);
  if (!arguments.empty()) request += " " + arguments;
  return channel_.await(channel_.send(request));
}

/// Makes a descriptor for the new socket: it has the lowest unused number, as socket(2) says.
int StackSockets::note_socket(const StackAnswer& answer, int family) {
  if (answer.result == -1) return returned<int>(answer);
  const int fd = ::fcntl(channel_.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (fd == -1) return -1;
  numbers_[fd] = {.reserved = base::FileDescriptor(fd), .number = answer.result, .family = family};
  note_addresses(fd, answer);
  return fd;
}

void StackSockets::note_addresses(int fd, const StackAnswer& answer) {
  Socket& socket = numbers_.at(fd);
  if (const auto local = base::Endpoint::parse(answer.text("local"))) socket.local = local;
  if (const auto remote = base::Endpoint::parse(answer.text("remote"))) socket.remote = remote;
}

int StackSockets::socket(int family, int type) {
  const int fd =
      note_socket(ask("socket", -1, family == AF_INET6 ? "AF_INET6" : "AF_INET"), family);
  if (fd >= 0 && (type & SOCK_NONBLOCK) != 0 && set_non_blocking(fd, true) == -1) {
    const int error = errno;
    close(fd);
    return fail_with(error);
  }
  return fd;
}

int StackSockets::bind(int fd, const sockaddr* address, socklen_t size) {
  if (!is_foreign(fd)) return Sockets::bind(fd, address, size);
  return returned<int>(ask("bind", fd, address_words(address, size)));
}

int StackSockets::listen(int fd, int backlog) {
  if (!is_foreign(fd)) return Sockets::listen(fd, backlog);
  const StackAnswer answer = ask("listen", fd, std::to_string(backlog));
  note_addresses(fd, answer);
  return returned<int>(answer);
}

int StackSockets::accept(int fd) {
  if (!is_foreign(fd)) return Sockets::accept(fd);
  return note_socket(ask("accept", fd), family(fd));
}

int StackSockets::connect(int fd, const sockaddr* address, socklen_t size) {
  if (!is_foreign(fd)) return Sockets::connect(fd, address, size);
  if (address->sa_family == AF_UNSPEC) return fail_with(EAFNOSUPPORT);
  const StackAnswer answer = ask("connect", fd, address_words(address, size));
  note_addresses(fd, answer);
  return returned<int>(answer);
}

int StackSockets::poll(std::span<pollfd> entries, int milliseconds) {
  for (pollfd& entry : entries)
    if (is_foreign(entry.fd)) return poll_one(entry, entries, milliseconds);
  return Sockets::poll(entries, milliseconds);
}

/// The stack waits for its socket, and this kernel for the other descriptors and for the stack's
/// answer. What happens first ends both waits.
int StackSockets::poll_one(pollfd& foreign, std::span<pollfd> entries, int milliseconds) {
  ArgumentText events;
  poll_events(foreign.events, events);
  const auto id = channel_.send(
      fmt::format("poll {} {}", numbers_.at(foreign.fd).number, std::string(events.view())));
  std::vector<pollfd> ours(entries.begin(), entries.end());
  pollfd& reply = ours[static_cast<std::size_t>(&foreign - entries.data())];
  reply = {.fd = channel_.descriptor(), .events = POLLIN, .revents = 0};
  int ready = 0;
  int error = 0;
  do {
    ready = ::poll(ours.data(), ours.size(), milliseconds);
    error = errno;
  } while (ready == 1 && reply.revents != 0 && !channel_.has(id));  // the rest of a line comes
  if (!channel_.has(id)) channel_.send(fmt::format("cancel {}", id));
  const StackAnswer answer = channel_.await(id);
  if (ready == -1 && answer.result <= 0) return fail_with(error);
  if (answer.result == -1) return returned<int>(answer);
  int count = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool is_stacks = &entries[i] == &foreign;
    const auto revents = parse_poll_events(answer.text("revents"));
    entries[i].revents = is_stacks ? static_cast<short>(revents.value_or(0)) : ours[i].revents;
    if (entries[i].revents != 0) ++count;
  }
  return count;
}

/// The stack is not trusted: what it gives must fit.
ssize_t StackSockets::copy_data(const StackAnswer& answer, std::span<char> buffer) {
  const std::string bytes = bytes_of(answer.text("data"));
  const std::size_t size = answer.result > 0 ? static_cast<std::size_t>(answer.result) : 0;
  if (size != bytes.size())
    throw StackGone(
        fmt::format("the stack says that it has read {} bytes, and gives {}", size, bytes.size()));
  if (size > buffer.size())
    throw StackGone(
        fmt::format("the stack gives {} bytes, and was asked for {}", size, buffer.size()));
  std::ranges::copy(bytes, buffer.begin());
  return returned<ssize_t>(answer);
}

ssize_t StackSockets::receive(int fd, std::span<char> buffer, int flags) {
  if (!is_foreign(fd)) return Sockets::receive(fd, buffer, flags);
  const auto answer = ask("recv", fd, fmt::format("{} {}", buffer.size(), flag_words(flags)));
  // With this flag the result counts bytes that are not copied (tcp(7)).
  return (flags & MSG_TRUNC) != 0 ? returned<ssize_t>(answer) : copy_data(answer, buffer);
}

ssize_t StackSockets::send(int fd, std::span<const char> bytes, int flags) {
  if (!is_foreign(fd)) return Sockets::send(fd, bytes, flags);
  const std::string data = quoted_bytes({bytes.data(), bytes.size()});
  return returned<ssize_t>(ask("send", fd, data + " " + flag_words(flags)));
}

ssize_t StackSockets::read(int fd, std::span<char> buffer) {
  if (!is_foreign(fd)) return Sockets::read(fd, buffer);
  return copy_data(ask("read", fd, std::to_string(buffer.size())), buffer);
}

ssize_t StackSockets::write(int fd, std::span<const char> bytes) {
  if (!is_foreign(fd)) return Sockets::write(fd, bytes);
  return returned<ssize_t>(ask("write", fd, quoted_bytes({bytes.data(), bytes.size()})));
}

int StackSockets::shutdown(int fd, int how) {
  if (!is_foreign(fd)) return Sockets::shutdown(fd, how);
  return returned<int>(ask("shutdown", fd, std::string(shutdown_name(how))));
}

int StackSockets::close(int fd) {
  if (!is_foreign(fd)) return Sockets::close(fd);
  const StackAnswer answer = ask("close", fd);
  numbers_.erase(fd);
  return returned<int>(answer);
}

int StackSockets::set_non_blocking(int fd, bool on) {
  if (!is_foreign(fd)) return Sockets::set_non_blocking(fd, on);
  return returned<int>(ask("nonblock", fd, on ? "on" : "off"));
}

int StackSockets::set_option(int fd, int level, int option, std::span<const std::byte> value) {
  if (!is_foreign(fd)) return Sockets::set_option(fd, level, option, value);
  const base::SocketOption* const known = base::find_socket_option(level, option);
  if (known == nullptr) return fail_with(ENOPROTOOPT);
  std::string words = std::string(known->name) + " ";
  if (known->kind == OptionKind::number) {
    words += std::to_string(load_number(value));
  } else if (known->kind == OptionKind::linger) {
    words += fmt::format("{} {}", load_number(value), load_number(value.subspan(sizeof(int))));
  } else {
    return fail_with(ENOPROTOOPT);
  }
  return returned<int>(ask("setsockopt", fd, words));
}

int StackSockets::get_option(int fd, int level, int option, void* value, socklen_t* size) {
  if (!is_foreign(fd)) return Sockets::get_option(fd, level, option, value, size);
  const base::SocketOption* const known = base::find_socket_option(level, option);
  if (known == nullptr || (known->kind != OptionKind::number && known->kind != OptionKind::error))
    return fail_with(ENOPROTOOPT);
  const StackAnswer answer = ask("getsockopt", fd, std::string(known->name));
  if (answer.result == -1) return returned<int>(answer);
  // The numbers of errors differ between stacks, so an error has its name.
  const std::string name = answer.text("value");
  const auto found = answer.fields.find("value");
  int number = name.empty() ? 0 : base::errno_number(name);
  if (name.empty() && found != answer.fields.end() && found->is_number_integer())
    number = found->get<int>();
  std::memcpy(value, &number, std::min<std::size_t>(sizeof number, *size));
  *size = sizeof number;
  return returned<int>(answer);
}

std::optional<base::Endpoint> StackSockets::local(int fd) {
  const auto found = numbers_.find(fd);
  return found == numbers_.end() ? Sockets::local(fd) : found->second.local;
}

std::optional<base::Endpoint> StackSockets::remote(int fd) {
  const auto found = numbers_.find(fd);
  return found == numbers_.end() ? Sockets::remote(fd) : found->second.remote;
}

int StackSockets::family(int fd) {
  const auto found = numbers_.find(fd);
  return found == numbers_.end() ? Sockets::family(fd) : found->second.family;
}

}  // namespace tcplab::dnc
