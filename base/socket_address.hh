// Turns a sockaddr (ip(7), ipv6(7)) into an address.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>
#include <optional>

#include "base/endpoint.hh"

namespace tcplab::base {

/// Returns nothing if it is no Internet address. An IPv4 address mapped to IPv6 becomes IPv4, as
/// its packets are.
inline std::optional<Endpoint> endpoint_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in ipv4{};
    std::memcpy(&ipv4, &address, sizeof ipv4);
    return Endpoint{IpAddress::from_bytes(Family::ipv4, &ipv4.sin_addr), ntohs(ipv4.sin_port)};
  }
  if (address.ss_family != AF_INET6) return std::nullopt;
  sockaddr_in6 ipv6{};
  std::memcpy(&ipv6, &address, sizeof ipv6);
  if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr))
    return Endpoint{IpAddress::from_bytes(Family::ipv4, &ipv6.sin6_addr.s6_addr[12]),
                    ntohs(ipv6.sin6_port)};
  return Endpoint{IpAddress::from_bytes(Family::ipv6, &ipv6.sin6_addr), ntohs(ipv6.sin6_port)};
}

/// Returns what getsockname(2) or getpeername(2) says of a socket; nothing if it fails, or if that
/// is no Internet address.
template <typename Ask>
std::optional<Endpoint> ask_address(int socket, Ask ask) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (ask(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return std::nullopt;
  return endpoint_of(address);
}

}  // namespace tcplab::base
