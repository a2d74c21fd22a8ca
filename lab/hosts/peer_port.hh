// The NIC of a peer: a queue of frames in this process. Answers ARP and neighbour discovery. Other
// frames that the wire delivers end here; WireWatch shows them to the script's end of the
// connection (lab/peer).
#pragma once

#include <deque>
#include <vector>

#include "base/file_descriptor.hh"
#include "netns/host_config.hh"
#include "netns/port.hh"

namespace tcplab::lab {

class PeerPort : public netns::Port {
public:
  explicit PeerPort(netns::NicConfig nic);

  void send(netns::Bytes frame);

  int descriptor() const override { return waiting_.get(); }
  std::optional<netns::Received> read(std::span<std::uint8_t> buffer) override;
  std::optional<base::Instant> next_sent() override;
  bool write(netns::Bytes frame, const netns::Offload& offload) override;

private:
  struct Sent {
    base::Instant at{};
    std::vector<std::uint8_t> bytes;
  };

  netns::NicConfig nic_;
  base::FileDescriptor waiting_;  // an eventfd(2): readable while frames wait
  std::deque<Sent> frames_;
};

}  // namespace tcplab::lab
