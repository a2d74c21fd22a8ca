#include "uml/agent/dns_relay.hh"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hh"

namespace tcplab::uml {

namespace {

using base::FileDescriptor;

constexpr std::uint16_t kPort = 53;
constexpr std::size_t kLargestQuery = 65535;
constexpr int kBacklog = 128;

/// A sockaddr and its size.
struct DnsAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

DnsAddress dns_address(const base::IpAddress& address) {
  DnsAddress made;
  if (address.family == base::Family::ipv4) {
    auto* ipv4 = reinterpret_cast<sockaddr_in*>(&made.bytes);
    ipv4->sin_family = AF_INET;
    ipv4->sin_port = htons(kPort);
    std::memcpy(&ipv4->sin_addr, address.bytes.data(), address.size());
    made.size = sizeof *ipv4;
  } else {
    auto* ipv6 = reinterpret_cast<sockaddr_in6*>(&made.bytes);
    ipv6->sin6_family = AF_INET6;
    ipv6->sin6_port = htons(kPort);
    std::memcpy(&ipv6->sin6_addr, address.bytes.data(), address.size());
    made.size = sizeof *ipv6;
  }
  return made;
}

FileDescriptor bound_socket(const base::IpAddress& address, int type) {
  const std::string attempt = "answer DNS on " + address.to_string() + " port 53";
  const DnsAddress own = dns_address(address);
  FileDescriptor socket(
      base::check(attempt, ::socket(own.bytes.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  const int yes = 1;
  if (type == SOCK_STREAM)
    base::check(attempt, ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes));
  base::check(attempt,
              ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&own.bytes), own.size));
  if (type == SOCK_STREAM) base::check(attempt, ::listen(socket.get(), kBacklog));
  return socket;
}

// Who has asked: a number, whether it is a session, and the address of a datagram's sender.
std::vector<std::uint8_t> asker_of(bool is_session, std::uint64_t number, Bytes address) {
  return PayloadWriter().number(is_session ? 1 : 0).number(number).rest(address).payload();
}

}  // namespace

void DnsRelay::listen(const std::vector<base::IpAddress>& addresses) {
  for (const base::IpAddress& address : addresses) {
    datagrams_.push_back(bound_socket(address, SOCK_DGRAM));
    listeners_.push_back(bound_socket(address, SOCK_STREAM));
  }
}

void DnsRelay::reply(Bytes asker, Bytes reply) {
  PayloadReader from(asker);
  const bool is_session = from.number() != 0;
  const std::uint64_t number = from.number();
  if (!is_session) {
    const Bytes to = from.rest();
    // The kernel may have no route: the client hears nothing.
    [[maybe_unused]] const ssize_t sent =
        ::sendto(datagrams_.at(number).get(), reply.data(), reply.size(), MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(to.data()), static_cast<socklen_t>(to.size()));
    return;
  }
  const auto session = std::ranges::find(sessions_, number, &Session::number);
  if (session == sessions_.end()) return;
  session->to_send.push_back(static_cast<std::uint8_t>(reply.size() >> 8));
  session->to_send.push_back(static_cast<std::uint8_t>(reply.size() & 0xff));
  session->to_send.insert(session->to_send.end(), reply.begin(), reply.end());
  if (!send_some(*session)) sessions_.erase(session);
}

void DnsRelay::add_to(std::vector<pollfd>& waiting, bool may_send) const {
  for (const Session& session : sessions_)
    waiting.push_back(
        {session.socket.get(),
         static_cast<short>((may_send ? POLLIN : 0) | (session.to_send.empty() ? 0 : POLLOUT)), 0});
  if (!may_send) return;
  for (const auto& socket : datagrams_) waiting.push_back({socket.get(), POLLIN, 0});
  for (const auto& socket : listeners_) waiting.push_back({socket.get(), POLLIN, 0});
}

bool DnsRelay::serve(int descriptor) {
  const auto datagram = std::ranges::find(datagrams_, descriptor, &FileDescriptor::get);
  if (datagram != datagrams_.end()) {
    serve_datagram(static_cast<std::size_t>(datagram - datagrams_.begin()));
    return true;
  }
  if (std::ranges::find(listeners_, descriptor, &FileDescriptor::get) != listeners_.end()) {
    accept(descriptor);
    return true;
  }
  const auto session = std::ranges::find_if(
      sessions_, [&](const Session& each) { return each.socket.get() == descriptor; });
  if (session == sessions_.end()) return false;
  if (!serve_session(*session)) sessions_.erase(session);
  return true;
}

/// An error is an ICMP error of an earlier reply.
void DnsRelay::serve_datagram(std::size_t socket) {
  std::array<std::uint8_t, kLargestQuery> query;
  DnsAddress sender;
  sender.size = sizeof sender.bytes;
  const ssize_t size =
      ::recvfrom(datagrams_[socket].get(), query.data(), query.size(), MSG_DONTWAIT,
                 reinterpret_cast<sockaddr*>(&sender.bytes), &sender.size);
  if (size < 0) return;
  const Bytes address{reinterpret_cast<const std::uint8_t*>(&sender.bytes), sender.size};
  PayloadWriter to;
  to.number(0).bytes(asker_of(false, socket, address));
  channel_.send(Kind::dns_query,
                to.rest(Bytes(query).first(static_cast<std::size_t>(size))).payload());
}

void DnsRelay::accept(int listener) {
  FileDescriptor socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket) sessions_.push_back({.number = ++last_session_, .socket = std::move(socket)});
}

/// Returns false when it has ended.
bool DnsRelay::serve_session(Session& session) { return send_some(session) && receive(session); }

bool DnsRelay::receive(Session& session) {
  std::array<std::uint8_t, 4096> part;
  const ssize_t size = ::recv(session.socket.get(), part.data(), part.size(), MSG_DONTWAIT);
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  if (size == 0) return false;
  session.received.insert(session.received.end(), part.begin(), part.begin() + size);
  pass_queries(session);
  return true;
}

void DnsRelay::pass_queries(Session& session) {
  std::vector<std::uint8_t>& received = session.received;
  while (received.size() >= 2) {
    const std::size_t size = std::size_t{received[0]} << 8 | received[1];
    if (received.size() < size + 2) return;
    PayloadWriter to;
    to.number(1).bytes(asker_of(true, session.number, {}));
    channel_.send(Kind::dns_query, to.rest(Bytes(received).subspan(2, size)).payload());
    received.erase(received.begin(), received.begin() + static_cast<std::ptrdiff_t>(size + 2));
  }
}

bool DnsRelay::send_some(Session& session) {
  std::vector<std::uint8_t>& bytes = session.to_send;
  if (bytes.empty()) return true;
  const ssize_t size =
      ::send(session.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  bytes.erase(bytes.begin(), bytes.begin() + size);
  return true;
}

}  // namespace tcplab::uml
