#include "dnc/calls/sockets.hh"

#include <fcntl.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "dnc/calls/socket_address.hh"

namespace tcplab::dnc {

namespace {

std::unique_ptr<Sockets>& chosen() {
  static std::unique_ptr<Sockets> sockets = std::make_unique<Sockets>();
  return sockets;
}

template <typename Getter>
std::optional<base::Endpoint> endpoint_of(int fd, Getter getter) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  if (getter(fd, address, &size) != 0) return std::nullopt;
  if (storage.ss_family != AF_INET && storage.ss_family != AF_INET6) return std::nullopt;
  return SocketAddress(address, size).endpoint();
}

}  // namespace

Sockets& sockets() { return *chosen(); }

void use_sockets(std::unique_ptr<Sockets> other) { chosen() = std::move(other); }

int no_such_call() {
  errno = ENOSYS;
  return -1;
}

int Sockets::socket(int family, int type) { return ::socket(family, type, IPPROTO_TCP); }

int Sockets::bind(int fd, const sockaddr* address, socklen_t size) {
  return ::bind(fd, address, size);
}

int Sockets::listen(int fd, int backlog) { return ::listen(fd, backlog); }

int Sockets::accept(int fd) { return ::accept(fd, nullptr, nullptr); }

int Sockets::connect(int fd, const sockaddr* address, socklen_t size) {
  return ::connect(fd, address, size);
}

int Sockets::poll(std::span<pollfd> entries, int milliseconds) {
  return ::poll(entries.data(), entries.size(), milliseconds);
}

ssize_t Sockets::receive(int fd, std::span<char> buffer, int flags) {
  return ::recv(fd, buffer.data(), buffer.size(), flags);
}

ssize_t Sockets::send(int fd, std::span<const char> bytes, int flags) {
  return ::send(fd, bytes.data(), bytes.size(), flags);
}

ssize_t Sockets::read(int fd, std::span<char> buffer) {
  return ::read(fd, buffer.data(), buffer.size());
}

ssize_t Sockets::write(int fd, std::span<const char> bytes) {
  return ::write(fd, bytes.data(), bytes.size());
}

int Sockets::shutdown(int fd, int how) { return ::shutdown(fd, how); }

int Sockets::close(int fd) { return ::close(fd); }

int Sockets::set_non_blocking(int fd, bool on) {
  return ::fcntl(fd, F_SETFL, on ? O_RDWR | O_NONBLOCK : O_RDWR);
}

int Sockets::set_option(int fd, int level, int option, std::span<const std::byte> value) {
  return ::setsockopt(fd, level, option, value.data(), static_cast<socklen_t>(value.size()));
}

int Sockets::get_option(int fd, int level, int option, void* value, socklen_t* size) {
  return ::getsockopt(fd, level, option, value, size);
}

std::optional<base::Endpoint> Sockets::local(int fd) { return endpoint_of(fd, ::getsockname); }

std::optional<base::Endpoint> Sockets::remote(int fd) { return endpoint_of(fd, ::getpeername); }

int Sockets::family(int fd) {
  int family = AF_INET;
  socklen_t size = sizeof family;
  ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size);
  return family;
}

}  // namespace tcplab::dnc
