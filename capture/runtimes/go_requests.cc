#include "capture/runtimes/go_requests.hh"

namespace tcplab::capture {

namespace {

constexpr Address kInterfaceData = 8;  // after the table of its type

}  // namespace

std::set<Address> GoRequests::polls_in(Address begin, Address end,
                                       const std::set<Address>& polls) const {
  std::set<Address> found;
  if (!layout_.has_http) return found;
  const auto add = [&](std::optional<Address> poll) {
    if (poll && polls.contains(*poll)) found.insert(*poll);
  };
  for (Address at = begin; at < end; at += sizeof(Address)) {
    const auto candidate = pointer(at);
    if (!candidate || *candidate % sizeof(Address) != 0) continue;
    const Address connection = *candidate + layout_.http_connection;
    add(poll_of_net(connection));
    if (const auto tls = pointer(connection + kInterfaceData))
      add(poll_of_net(*tls + layout_.tls_connection));
  }
  return found;
}

/// A value that cannot be read is none: most words of a stack are no pointers.
std::optional<Address> GoRequests::pointer(Address from) const {
  Address value = 0;
  const auto into = std::as_writable_bytes(std::span(&value, 1));
  if (from == 0 || memory_.read(from, into) != into.size() || value == 0) return std::nullopt;
  return value;
}

/// From a net.Conn that is a *net.TCPConn, whose first member is a *net.netFD.
std::optional<Address> GoRequests::poll_of_net(Address interface) const {
  const auto connection = pointer(interface + kInterfaceData);
  const auto descriptor = connection ? pointer(*connection) : std::nullopt;
  return descriptor ? pointer(*descriptor + layout_.net_poll) : std::nullopt;
}

}  // namespace tcplab::capture
