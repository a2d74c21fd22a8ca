// The lab's end of a host's NIC: frames that the host sends are read here, and frames for it are
// written here. It is a TAP descriptor or a packet socket on a veth pair. Each read or write is one
// Ethernet II frame without FCS. If the NIC has offloads, a frame may have a partial checksum, and
// may stand for several segments (Offload).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "netns/offload.hh"

namespace tcplab::netns {

using Bytes = std::span<const std::uint8_t>;

class Port {
public:
  virtual ~Port() = default;

  /// Returns a non-blocking descriptor that becomes readable (poll(2), epoll(7)) when the host has
  /// sent a frame.
  virtual int descriptor() const = 0;

  /// Reads the next frame that the host has sent and returns its size; nullopt if none is waiting.
  /// Sets `offload` to what the NIC says about it. Throws base::SystemError for any other failure.
  virtual std::optional<std::size_t> read(std::span<std::uint8_t> buffer, Offload& offload) = 0;

  /// Delivers a frame to the host. The host's TCP/IP stack has processed it when this returns.
  /// Returns false if the NIC refuses the frame (EIO: it is administratively down).
  virtual bool write(Bytes frame, const Offload& offload) = 0;
};

}  // namespace tcplab::netns
