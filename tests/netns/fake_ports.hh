// Fake NICs and a recording observer, to test a wire without hosts, root or a network. Each NIC is
// a socket pair, so that a real event loop watches a real descriptor.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "netns/wire.hh"

namespace tcplab::tests {

using netns::Frame;
using netns::FrameDecision;
using netns::MacAddress;
using netns::PortId;

class FakePort : public netns::Port {
public:
  FakePort();
  int descriptor() const override { return ours_.get(); }
  std::optional<netns::Received> read(std::span<std::uint8_t> buffer) override;
  std::optional<base::Instant> next_sent() override;
  bool write(netns::Bytes frame, const netns::Offload& offload) override;

  /// Makes the host send a frame.
  void host_sends(const std::vector<std::uint8_t>& frame);
  /// Makes the host send a frame at this time, which the port knows.
  void host_sends(const std::vector<std::uint8_t>& frame, base::Instant sent);
  /// The frames that the host received: the text after each header.
  std::vector<std::string> received;
  bool refuses = false;
  std::function<void()> on_write = [] {};  // what the host does as it receives a frame

private:
  base::FileDescriptor ours_, hosts_;
  std::deque<base::Instant> times_;  // of the frames that wait
};

/// Returns an Ethernet II frame of an experimental type (RFC 5342 B.2) with this text.
std::vector<std::uint8_t> frame(MacAddress to, MacAddress from, const std::string& text);
extern const MacAddress kBroadcast;

/// Writes "sent 1 by 1", "delivered 1 to 2", "undelivered 1: ..." into `record`.
class RecordingObserver : public netns::WireObserver {
public:
  FrameDecision frame_sent(Frame& frame) override;
  void frame_decided(const Frame& frame) override { on_ruled(frame); }
  void frame_delivered(const Frame& frame, PortId to, base::Instant at) override;
  void frame_undelivered(const Frame& frame, netns::Undelivered why) override;

  std::vector<std::string> record;
  base::Instant delivered{};  // when the last frame was
  std::function<FrameDecision(Frame&)> on_sent = [](Frame&) { return FrameDecision::deliver; };
  std::function<void(const Frame&)> on_ruled = [](const Frame&) {};
  std::function<void(const Frame&, PortId)> on_delivered = [](const Frame&, PortId) {};
};

}  // namespace tcplab::tests
