// A port whose NIC is a TAP device (Linux, Documentation/networking/tuntap.rst). Reading the
// descriptor returns what the host sends; the host receives what is written. Without offloads,
// frames have at most the MTU's size and correct checksums.
#pragma once

#include <string>

#include "base/file_descriptor.hh"
#include "netns/port.hh"

namespace tcplab::netns {

/// Creates a TAP device in the caller's network namespace (the one at open(2) counts). Returns a
/// non-blocking descriptor; the device disappears with its last copy. With offloads, the kernel
/// leaves checksums and segmentation of TCP to the device (TUNSETOFFLOAD).
base::FileDescriptor open_tap(const std::string& name, bool has_offloads);

/// Returns true if this process can open /dev/net/tun.
bool can_open_tap();

class TapPort : public Port {
public:
  /// `has_offloads` as for open_tap().
  TapPort(base::FileDescriptor tap, bool has_offloads)
      : tap_(std::move(tap)), has_offloads_(has_offloads) {}

  int descriptor() const override { return tap_.get(); }
  std::optional<Received> read(std::span<std::uint8_t> buffer) override;
  bool write(Bytes frame, const Offload& offload) override;

private:
  base::FileDescriptor tap_;
  bool has_offloads_;
};

}  // namespace tcplab::netns
