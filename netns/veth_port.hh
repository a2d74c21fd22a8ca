// A NIC for where /dev/net/tun may not be opened: one end of a veth pair in the host, the other
// in the network namespace of the lab, read and written through a packet socket (packet(7)).
// Checksum and segmentation offload are off on both ends, so that a frame is what a NIC would
// send. A write runs the host's stack in the softirq that ends it, which under heavy load the
// kernel may put off for a moment; with a TAP it never does.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/file_descriptor.hh"
#include "netns/host_config.hh"
#include "netns/port.hh"

namespace tcplab::netns {

/// Asks the driver of a link in the caller's namespace to leave checksums and segmentation
/// to the stack (ETHTOOL_STXCSUM and its kin). Throws base::SystemError.
void switch_offloads_off(const std::string& link);

class VethPort : public Port {
public:
  /// Makes the pair: our end here, its peer with the NIC's name in the namespace of `process`.
  VethPort(const NicConfig& nic, pid_t process);

  /// Of our end. The pair outlives this object: it ends with either namespace, or by name.
  const std::string& name() const { return name_; }

  int descriptor() const override { return socket_.get(); }
  std::optional<std::size_t> read(std::span<std::uint8_t> buffer) override;
  bool write(Bytes frame) override;

private:
  std::string name_;  // of our end
  base::FileDescriptor socket_;
};

}  // namespace tcplab::netns
