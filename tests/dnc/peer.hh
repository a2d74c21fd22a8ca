// The peer of dnc's connection: a socket in the test's process, on the loopback device.
#pragma once

#include <cstdint>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::tests {

/// A connected socket.
class Peer {
public:
  explicit Peer(base::FileDescriptor socket) : socket_(std::move(socket)) {}
  static Peer connect(const std::string& address, std::uint16_t port);

  void send(const std::string& text);
  /// Receives exactly `size` bytes, or fewer if the stream ends.
  std::string receive(std::size_t size);
  void shut_down();  // sends FIN, can still receive
  void close() { socket_.reset(); }
  void reset();  // sends RST

private:
  base::FileDescriptor socket_;
};

class Listener {
public:
  explicit Listener(const std::string& address = "127.0.0.1");

  std::uint16_t port() const { return port_; }
  std::string port_text() const { return std::to_string(port_); }
  Peer accept();
  /// Sets a small buffer, so that a sender soon has to wait.
  void set_receive_buffer(int bytes);

private:
  base::FileDescriptor socket_;
  std::uint16_t port_ = 0;
};

/// Returns a port that is free now.
std::string free_port();

}  // namespace tcplab::tests
