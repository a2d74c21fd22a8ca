// sockaddr(3type) as a value, and the names that lead to one.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
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
  /// An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) is given as the IPv4 one it stands for.
  base::Endpoint endpoint() const;
  std::string to_string() const { return endpoint().to_string(); }

private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

/// getsockname(2) and getpeername(2), not recorded: they are dnc's own questions.
std::optional<base::Endpoint> local_endpoint(int fd);
std::optional<base::Endpoint> remote_endpoint(int fd);

struct Query {
  std::string host;                    // empty: the wildcard address, to listen on
  std::string port;                    // a number or a service name
  std::optional<base::Family> family;  // only this one
  bool numeric = false;                // no name look-ups
};

/// By getaddrinfo(3), in its order. Throws base::UsageError with its reason; never empty.
/// The wildcard of no particular family is IPv6's, which also takes IPv4 (RFC 3493 section 5.3),
/// followed by IPv4's for a kernel without IPv6.
std::vector<SocketAddress> resolve(const Query& query);

}  // namespace tcplab::dnc
