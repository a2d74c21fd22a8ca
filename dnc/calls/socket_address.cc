#include "dnc/calls/socket_address.hh"

#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "base/error.hh"

namespace tcplab::dnc {

namespace {

using base::Endpoint;
using base::Family;
using base::IpAddress;

template <typename Address>
Address as(const sockaddr_storage& storage) {
  Address address;
  std::memcpy(&address, &storage, sizeof address);
  return address;
}

int family_number(const std::optional<Family>& family) {
  if (!family) return AF_UNSPEC;
  return *family == Family::ipv4 ? AF_INET : AF_INET6;
}

// getaddrinfo(3) would accept 65536, as port 0.
void check_port(const std::string& port) {
  if (port.find_first_not_of("0123456789") != std::string::npos) return;
  unsigned number = 0;
  const char* const end = port.data() + port.size();
  const auto parsed = std::from_chars(port.data(), end, number);
  if (port.empty() || parsed.ec != std::errc() || number > 65535)
    throw base::UsageError("not a TCP port: '" + port + "'");
}

addrinfo hints_for(const Query& query) {
  addrinfo hints{};
  hints.ai_family = family_number(query.family);
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_protocol = IPPROTO_TCP;
  if (query.host.empty()) hints.ai_flags |= AI_PASSIVE;
  if (query.numeric) hints.ai_flags |= AI_NUMERICHOST;
  return hints;
}

[[noreturn]] void refuse(const Query& query, int failure) {
  const std::string reason = failure == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(failure);
  if (failure == EAI_SERVICE) throw base::UsageError("not a TCP port: '" + query.port + "'");
  if (failure == EAI_NONAME && query.numeric)
    throw base::UsageError("not a numeric address: '" + query.host + "'; -n forbids name look-ups");
  throw UnknownHost("cannot resolve '" + query.host + "': " + reason);
}

}  // namespace

SocketAddress::SocketAddress(const sockaddr* address, socklen_t size)
    : size_(std::min<socklen_t>(size, sizeof storage_)) {
  std::memcpy(&storage_, address, size_);
}

SocketAddress::SocketAddress(const Endpoint& endpoint) {
  if (endpoint.address.family == Family::ipv4) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(endpoint.port);
    std::memcpy(&address.sin_addr, endpoint.address.bytes.data(), sizeof address.sin_addr);
    *this = SocketAddress(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } else {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(endpoint.port);
    std::memcpy(&address.sin6_addr, endpoint.address.bytes.data(), sizeof address.sin6_addr);
    *this = SocketAddress(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
}

Endpoint SocketAddress::endpoint() const {
  if (family() == AF_INET) {
    const auto address = as<sockaddr_in>(storage_);
    return {IpAddress::from_bytes(Family::ipv4, &address.sin_addr), ntohs(address.sin_port)};
  }
  const auto address = as<sockaddr_in6>(storage_);
  const std::uint16_t port = ntohs(address.sin6_port);
  if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr))
    return {IpAddress::from_bytes(Family::ipv4, &address.sin6_addr.s6_addr[12]), port};
  return {IpAddress::from_bytes(Family::ipv6, &address.sin6_addr), port};
}

std::vector<SocketAddress> resolve(const Query& query) {
  check_port(query.port);
  const addrinfo hints = hints_for(query);
  addrinfo* answer = nullptr;
  const int failure = ::getaddrinfo(query.host.empty() ? nullptr : query.host.c_str(),
                                    query.port.c_str(), &hints, &answer);
  if (failure != 0) refuse(query, failure);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(answer, ::freeaddrinfo);
  std::vector<SocketAddress> addresses;
  for (const addrinfo* one = answer; one != nullptr; one = one->ai_next)
    addresses.emplace_back(one->ai_addr, one->ai_addrlen);
  if (query.host.empty())
    std::stable_partition(addresses.begin(), addresses.end(),
                          [](const SocketAddress& one) { return one.family() == AF_INET6; });
  return addresses;
}

}  // namespace tcplab::dnc
