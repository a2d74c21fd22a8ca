// Sends netlink(7) requests to a kernel: to this one through a socket, to that of a kernel host
// through its agent. The caller makes the requests and parses the answers. Single-threaded.
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

/// Both use the network namespace that is current at the call, and throw SystemError.
std::unique_ptr<KernelQuestions> ask_this_kernel(int protocol);
/// Subscribes to the kernel's notifications of destroyed TCP sockets (sock_diag(7)).
std::unique_ptr<KernelNews> hear_destroyed_sockets();

}  // namespace tcplab::base
