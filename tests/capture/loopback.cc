#include "tests/capture/loopback.hh"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "base/error.hh"

namespace tcplab::tests {

using base::check;
using base::Endpoint;
using base::FileDescriptor;

namespace {

void bring_loopback_up() {
  const FileDescriptor socket(check("make a socket", ::socket(AF_INET, SOCK_DGRAM, 0)));
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP;
  check("bring the loopback device up", ::ioctl(socket.get(), SIOCSIFFLAGS, &request));
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

Address to_address(const Endpoint& endpoint) {
  Address address;
  if (endpoint.address.family == base::Family::ipv4) {
    auto& ipv4 = reinterpret_cast<sockaddr_in&>(address.storage);
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(endpoint.port);
    std::memcpy(&ipv4.sin_addr, endpoint.address.bytes.data(), 4);
    address.size = sizeof ipv4;
    return address;
  }
  auto& ipv6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  ipv6.sin6_family = AF_INET6;
  ipv6.sin6_port = htons(endpoint.port);
  std::memcpy(&ipv6.sin6_addr, endpoint.address.bytes.data(), 16);
  address.size = sizeof ipv6;
  return address;
}

Endpoint to_endpoint(const Address& address) {
  if (address.storage.ss_family == AF_INET) {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(address.storage);
    return {base::IpAddress::from_bytes(base::Family::ipv4, &ipv4.sin_addr), ntohs(ipv4.sin_port)};
  }
  const auto& ipv6 = reinterpret_cast<const sockaddr_in6&>(address.storage);
  return {base::IpAddress::from_bytes(base::Family::ipv6, &ipv6.sin6_addr), ntohs(ipv6.sin6_port)};
}

FileDescriptor tcp_socket(const Endpoint& endpoint, int flags = 0) {
  const int family = to_address(endpoint).storage.ss_family;
  return FileDescriptor(check("make a socket", ::socket(family, SOCK_STREAM | flags, 0)));
}

}  // namespace

void enter_fresh_network() {
  const bool is_root = ::geteuid() == 0;
  check("make a network namespace", ::unshare(CLONE_NEWNET | (is_root ? 0 : CLONE_NEWUSER)));
  bring_loopback_up();
}

FileDescriptor listen_on(const std::string& text, int backlog) {
  const Endpoint any_port{*base::IpAddress::parse(text), 0};
  FileDescriptor socket = tcp_socket(any_port);
  Address address = to_address(any_port);
  check("bind", ::bind(socket.get(), address.get(), address.size));
  check("listen", ::listen(socket.get(), backlog));
  return socket;
}

FileDescriptor connect_to(const Endpoint& server) {
  FileDescriptor socket = tcp_socket(server);
  Address address = to_address(server);
  check("connect", ::connect(socket.get(), address.get(), address.size));
  return socket;
}

FileDescriptor start_connecting(const Endpoint& server) {
  FileDescriptor socket = tcp_socket(server, SOCK_NONBLOCK);
  Address address = to_address(server);
  const int result = ::connect(socket.get(), address.get(), address.size);
  if (result == -1 && errno != EINPROGRESS) throw base::SystemError("connect", errno);
  return socket;
}

FileDescriptor accept_from(const FileDescriptor& listener) {
  return FileDescriptor(check("accept", ::accept(listener.get(), nullptr, nullptr)));
}

Endpoint local_of(const FileDescriptor& socket) {
  Address address;
  check("getsockname", ::getsockname(socket.get(), address.get(), &address.size));
  return to_endpoint(address);
}

Endpoint remote_of(const FileDescriptor& socket) {
  Address address;
  check("getpeername", ::getpeername(socket.get(), address.get(), &address.size));
  return to_endpoint(address);
}

Connection connect_pair(const FileDescriptor& listener, const Endpoint& server) {
  FileDescriptor client = connect_to(server);
  return {std::move(client), accept_from(listener)};
}

bool becomes_readable(int descriptor) {
  pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, 10'000) == 1;
}

}  // namespace tcplab::tests
