// A port for machines that forbid /dev/net/tun. One end of a veth pair is the host's NIC; the other
// is in the lab's network namespace, read and written through a packet socket (packet(7)).
// Checksum and segmentation offloads are off on both ends, so that frames are as a NIC sends them.
// The host's stack runs in the softirq at the end of a write. Under heavy load the kernel may defer
// that softirq; a write to a TAP always runs the stack.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/file_descriptor.hh"
#include "netns/host_config.hh"
#include "netns/port.hh"

namespace tcplab::netns {

/// Turns off checksum and segmentation offloads of a link in the caller's namespace (ethtool(8):
/// tx, sg, tso, gro). Throws base::SystemError.
void disable_offloads(const std::string& link);

class VethPort : public Port {
public:
  /// Creates the pair: one end in the caller's network namespace, and the NIC in that of `process`.
  VethPort(const NicConfig& nic, pid_t process);

  /// Returns the name of our end. The pair outlives this object: it exists until its link is
  /// deleted or one of the two namespaces ends.
  const std::string& name() const { return name_; }

  int descriptor() const override { return socket_.get(); }
  /// There is no offload, because disable_offloads() turned it off.
  std::optional<Received> read(std::span<std::uint8_t> buffer) override;
  std::optional<base::Instant> next_sent() override;
  /// Also returns false for a frame of more than 1518 bytes that exceeds the NIC's MTU.
  bool write(Bytes frame, const Offload& offload) override;

private:
  std::optional<Received> receive(std::span<std::uint8_t> buffer, int flags);
  bool is_too_long(std::size_t frame) const;

  std::string name_;
  std::string nic_;
  base::FileDescriptor control_;  // in the host's network namespace
  base::FileDescriptor socket_;
};

}  // namespace tcplab::netns
