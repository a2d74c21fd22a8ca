// The NIC of a stack host: our end of the socket pair whose other end the stack has.
#pragma once

#include "base/file_descriptor.hh"
#include "netns/port.hh"

namespace tcplab::lab {

class StackPort : public netns::Port {
public:
  /// `ours`: a socket that keeps the frames apart (SOCK_SEQPACKET, unix(7)). Frames of more than
  /// `longest` bytes are lost.
  StackPort(base::FileDescriptor ours, std::size_t longest);

  int descriptor() const override { return ours_.get(); }
  std::optional<netns::Received> read(std::span<std::uint8_t> buffer) override;
  /// Returns false if the socket is full, because the stack does not read its NIC.
  bool write(netns::Bytes frame, const netns::Offload& offload) override;

private:
  base::FileDescriptor ours_;
  std::size_t longest_;
};

}  // namespace tcplab::lab
