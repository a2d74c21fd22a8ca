// Asks a kernel by netlink(7): this one through a socket, or another one through an agent that has
// such a socket there. The caller makes the requests and reads the answers. Single-threaded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace tcplab::base {

using Bytes = std::span<const std::uint8_t>;

class KernelQuestions {
public:
  virtual ~KernelQuestions() = default;

  /// Sends one request: a netlink message. Throws SystemError.
  virtual void send(Bytes request) = 0;
  /// Waits for the next part of an answer: one netlink message or more. Valid until the next call.
  /// Throws SystemError.
  virtual Bytes receive() = 0;
};

/// Messages that a kernel sends unasked.
class KernelNews {
public:
  virtual ~KernelNews() = default;

  /// Returns a descriptor that is readable when take() has news.
  virtual int descriptor() const = 0;

  struct News {
    Bytes messages{};       // valid until the next call; empty if there is no news
    bool has_lost = false;  // the kernel has dropped messages (ENOBUFS)
  };
  /// Returns the next messages. Never waits. Throws SystemError.
  virtual News take() = 0;
};

/// Both are about the network namespace that is current at the call. Throw SystemError.
std::unique_ptr<KernelQuestions> ask_this_kernel(int protocol);
/// Subscribes to what the kernel tells when it destroys a TCP socket.
std::unique_ptr<KernelNews> hear_destroyed_sockets();

}  // namespace tcplab::base
