// The NIC of a kernel host. The host's agent owns the TAP device, and exchanges its frames with the
// run as messages.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"
#include "netns/machine.hh"
#include "netns/port.hh"
#include "uml/guest.hh"

namespace tcplab::lab {

/// The connection of the frame that a port of a machine has read or written last, and the kernel's
/// answers about it, the oldest first. There is no connection if there was no such frame, if it is
/// not TCP, or if the answers are known already.
struct LatestFrame {
  std::optional<base::Endpoint> local{};
  std::optional<base::Endpoint> remote{};
  std::vector<std::vector<std::uint8_t>> answers{};
};

class KernelPort : public netns::Port {
public:
  /// The references must outlive the port. `nic`: its number in the host's configuration.
  KernelPort(uml::Guest& guest, std::size_t nic, LatestFrame& latest);

  /// Queues a frame that the host has sent.
  void sent(base::Instant at, netns::Bytes frame, netns::Bytes answer);

  /// Forgets the kernel's answers about the frames that wait, because a newer answer is known.
  void forget_answers();

  int descriptor() const override { return waiting_.get(); }
  std::optional<netns::Received> read(std::span<std::uint8_t> buffer) override;
  std::optional<base::Instant> next_sent() override;
  bool write(netns::Bytes frame, const netns::Offload& offload) override;
  std::optional<base::Instant> delivered() const override { return delivered_; }

private:
  struct Frame {
    base::Instant sent;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> answer;  // empty if already reported, or the frame is not TCP
  };

  void take_answers(netns::Bytes frame, std::vector<std::uint8_t> answer);

  uml::Guest& guest_;
  std::size_t nic_;
  LatestFrame& latest_;
  base::FileDescriptor waiting_;  // an eventfd, readable while frames wait
  std::deque<Frame> frames_;
  base::Instant delivered_{};
};

}  // namespace tcplab::lab
