// A NIC whose other end is the descriptor of a TAP device (Linux, networking/tuntap): what the
// host sends is read from it, what is written to it the host receives. Frames are MTU-sized and
// checksummed: no offload is offered to the stack.
#pragma once

#include <string>

#include "base/file_descriptor.hh"
#include "netns/port.hh"

namespace tcplab::netns {

/// Makes a TAP device of that name in the network namespace of the caller (the namespace at
/// open(2) counts). Non-blocking. The device ends with the last copy of the descriptor.
base::FileDescriptor open_tap(const std::string& name);

/// Whether this process may open /dev/net/tun.
bool can_open_tap();

class TapPort : public Port {
public:
  explicit TapPort(base::FileDescriptor tap) : tap_(std::move(tap)) {}

  int descriptor() const override { return tap_.get(); }
  std::optional<std::size_t> read(std::span<std::uint8_t> buffer) override;
  bool write(Bytes frame) override;

private:
  base::FileDescriptor tap_;
};

}  // namespace tcplab::netns
