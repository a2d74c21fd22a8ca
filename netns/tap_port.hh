// A port whose NIC is a TAP device (Linux, Documentation/networking/tuntap.rst). Reading the
// descriptor returns what the host sends; the host receives what is written. The device offers no
// offloads, so frames have at most the MTU's size and correct checksums.
#pragma once

#include <string>

#include "base/file_descriptor.hh"
#include "netns/port.hh"

namespace tcplab::netns {

/// Creates a TAP device in the caller's network namespace (the one at open(2) counts). Returns a
/// non-blocking descriptor; the device disappears with its last copy.
base::FileDescriptor open_tap(const std::string& name);

/// Returns true if this process can open /dev/net/tun.
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
