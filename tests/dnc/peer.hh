// The other end of dnc's connection, in this process, on the loopback.
#pragma once

#include <cstdint>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::tests {

/// A connected socket of ours.
class Peer {
public:
  explicit Peer(base::FileDescriptor socket) : socket_(std::move(socket)) {}
  static Peer connect(const std::string& address, std::uint16_t port);

  void send(const std::string& text);
  /// Exactly `size` bytes, or fewer at the stream's end.
  std::string receive(std::size_t size);
  void shut_down();  // FIN, still receiving
  void close() { socket_.reset(); }
  void reset();  // RST

private:
  base::FileDescriptor socket_;
};

class Listener {
public:
  explicit Listener(const std::string& address = "127.0.0.1");

  std::uint16_t port() const { return port_; }
  std::string port_text() const { return std::to_string(port_); }
  Peer accept();
  /// Small, so that a sender soon has to wait.
  void set_receive_buffer(int bytes);

private:
  base::FileDescriptor socket_;
  std::uint16_t port_ = 0;
};

/// A port that nobody listens on, at least now.
std::string free_port();

}  // namespace tcplab::tests
