#include "tests/dnc/peer.hh"

#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

#include "base/error.hh"
#include "dnc/calls/socket_address.hh"
#include "dnc/calls/sockets.hh"

namespace tcplab::tests {

namespace {

dnc::SocketAddress address_of(const std::string& address, std::uint16_t port) {
  return dnc::SocketAddress(base::Endpoint{base::IpAddress::parse(address).value(), port});
}

base::FileDescriptor make_socket(const dnc::SocketAddress& address) {
  return base::FileDescriptor(
      base::check("make a socket", ::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)));
}

// Sets a timeout, so that a failing dnc does not hang its test. Accepted sockets inherit it.
void set_receive_timeout(int socket) {
  const timeval patience{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

}  // namespace

Peer Peer::connect(const std::string& address, std::uint16_t port) {
  const auto to = address_of(address, port);
  Peer peer(make_socket(to));
  set_receive_timeout(peer.socket_.get());
  base::check("connect to dnc", ::connect(peer.socket_.get(), to.get(), to.size()));
  return peer;
}

void Peer::send(const std::string& text) {
  const ssize_t sent = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(text.size())) throw std::runtime_error("peer: a short send");
}

std::string Peer::receive(std::size_t size) {
  std::string text(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t more = ::read(socket_.get(), text.data() + got, size - got);
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  text.resize(got);
  return text;
}

void Peer::shut_down() { ::shutdown(socket_.get(), SHUT_WR); }

void Peer::reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_.reset();
}

Listener::Listener(const std::string& address) {
  const auto here = address_of(address, 0);
  socket_ = make_socket(here);
  set_receive_timeout(socket_.get());
  base::check("bind", ::bind(socket_.get(), here.get(), here.size()));
  base::check("listen", ::listen(socket_.get(), 16));
  port_ = dnc::sockets().local(socket_.get()).value().port;
}

Peer Listener::accept() {
  return Peer(base::FileDescriptor(
      base::check("accept", ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC))));
}

void Listener::set_receive_buffer(int bytes) {
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

std::string free_port() { return Listener().port_text(); }

}  // namespace tcplab::tests
