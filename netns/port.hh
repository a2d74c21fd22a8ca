// Where frames enter and leave one NIC of a host: a TAP device's descriptor, one end of a veth
// pair, later a socket to another kernel. One frame a message, Ethernet II, without FCS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tcplab::netns {

using Bytes = std::span<const std::uint8_t>;

class Port {
public:
  virtual ~Port() = default;

  /// Becomes readable (poll(2), epoll(7)) when the host has sent a frame. Non-blocking.
  virtual int descriptor() const = 0;

  /// Takes the next frame that the host has sent; nothing when none is waiting.
  /// Throws base::SystemError for anything but "none is waiting".
  virtual std::optional<std::size_t> read(std::span<std::uint8_t> buffer) = 0;

  /// Hands the host a frame. Its stack has run to completion when this returns.
  /// False when the NIC refused it (it is administratively down: EIO).
  virtual bool write(Bytes frame) = 0;
};

}  // namespace tcplab::netns
