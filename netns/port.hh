// The lab's end of a host's NIC: frames that the host sends are read here, and frames for it are
// written here. It is a TAP descriptor or a packet socket on a veth pair. Each read or write is one
// Ethernet II frame without FCS. If the NIC has offloads, a frame may have a partial checksum, and
// may stand for several segments (Offload).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/clock.hh"
#include "netns/offload.hh"

namespace tcplab::netns {

using Bytes = std::span<const std::uint8_t>;

/// What read() has put into the buffer.
struct Received {
  std::size_t size = 0;
  Offload offload{};                    // what the NIC says about the frame
  std::optional<base::Instant> sent{};  // when the host sent it, if the port knows
};

class Port {
public:
  virtual ~Port() = default;

  /// Returns a non-blocking descriptor that becomes readable (poll(2), epoll(7)) when the host has
  /// sent a frame.
  virtual int descriptor() const = 0;

  /// Reads the next frame that the host has sent; nullopt if none is waiting. Throws
  /// base::SystemError for any other failure.
  virtual std::optional<Received> read(std::span<std::uint8_t> buffer) = 0;

  /// Returns when the host sent the frame that read() returns next; nullopt if none is waiting, or
  /// the port does not know.
  virtual std::optional<base::Instant> next_sent() { return std::nullopt; }

  /// Delivers a frame to the host. The host's TCP/IP stack has processed it when this returns.
  /// Returns false if the NIC refuses the frame (EIO: it is administratively down).
  virtual bool write(Bytes frame, const Offload& offload) = 0;

  /// Returns when the host received the frame that write() has delivered last; nullopt if the port
  /// does not know. Called right after write().
  virtual std::optional<base::Instant> delivered() const { return std::nullopt; }
};

}  // namespace tcplab::netns
