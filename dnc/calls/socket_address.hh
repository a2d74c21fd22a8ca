// Socket addresses (sockaddr(3type)) as values, and their look-up by name.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/endpoint.hh"

namespace tcplab::dnc {

class SocketAddress {
public:
  SocketAddress() = default;
  explicit SocketAddress(const base::Endpoint& endpoint);
  SocketAddress(const sockaddr* address, socklen_t size);

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }
  /// Returns an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) as its IPv4 address.
  base::Endpoint endpoint() const;
  std::string to_string() const { return endpoint().to_string(); }

private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

struct Query {
  std::string host;                    // empty for the wildcard address, to listen on
  std::string port;                    // a number or a service name
  std::optional<base::Family> family;  // nullopt for both
  bool numeric = false;                // no name look-ups
};

/// A name that does not resolve now: the network's answer, not a wrong use of dnc.
class UnknownHost : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Returns the addresses, at least one, in the order of getaddrinfo(3). Throws UnknownHost or
/// base::UsageError with its reason. Without a host or a family, the first address is the IPv6
/// wildcard, which accepts IPv4, too (RFC 3493 section 5.3). The IPv4 wildcard follows, for kernels
/// without IPv6.
std::vector<SocketAddress> resolve(const Query& query);

}  // namespace tcplab::dnc
