// Layer-2 segments (links) in user space, between the ports of hosts. Each frame passes through
// here, one at a time: the observer is asked for its fate, told before it is delivered (when the
// sender's kernel can be asked what it did) and after (when the receiver's stack has run to
// completion, and its kernel can be asked what that did). Single-threaded, on the given loop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "netns/mac_address.hh"
#include "netns/port.hh"

namespace boost::asio {
class io_context;
}

namespace tcplab::netns {

/// Identifies one attachment of one port; never used again after detach().
enum class PortId : std::uint32_t {};

/// A segment of its own: frames of one never reach a port that is on another.
enum class LinkId : std::uint32_t {};

struct Frame {
  std::uint64_t number = 0;  // counts up from 1 on a wire
  base::Instant sent{};      // when the wire took it from the sender's NIC
  PortId from{};
  Bytes bytes;
};

enum class FrameDecision : std::uint8_t { deliver, lose, hold };

/// Its members may attach, detach, inject, release and drop; not pump, which then does nothing,
/// for the frame at hand comes first. Multicast listener reports (RFC 3810), which a kernel sends
/// unasked, are taken off the wire before it sees them.
class WireObserver {
public:
  virtual ~WireObserver() = default;

  /// A frame has been taken from its sender's NIC. The ruling is for all its receivers. Other bytes
  /// may be put in its place (frame.bytes); they must last until frame_decided().
  virtual FrameDecision frame_sent(Frame& frame) = 0;
  /// What was ruled has been done. If the frame is held, it can be released from here on.
  virtual void frame_decided(const Frame& /*frame*/) {}
  /// It is about to be handed to `to`; nothing is told of it where that NIC refuses it.
  virtual void frame_delivering(const Frame& /*frame*/, PortId /*to*/) {}
  /// It has been handed to `to`; that host's stack has run. Once for each receiver.
  virtual void frame_delivered(const Frame& frame, PortId to, base::Instant delivered) = 0;
  /// Ruled `deliver`, but it reached nobody: no port has that address, the NIC refused it, or an
  /// observer detached its sender meanwhile.
  virtual void frame_undelivered(const Frame& frame, const std::string& why) = 0;
};

class Wire {
public:
  Wire(boost::asio::io_context& loop, WireObserver& observer);
  ~Wire();

  /// The port must outlive its attachment. What its host sent before is discarded: it went into
  /// an open plug. Frames of that link are delivered to it that are addressed to `mac`, to a
  /// group, or to an address that no port on the link has.
  PortId attach(Port& port, MacAddress mac, LinkId link = {});

  /// From here on nothing that was or will be written to that NIC reaches the wire, held
  /// frames of its included (they are forgotten), and nothing is delivered to it.
  void detach(PortId id);

  /// Takes every frame that waits on any port now, without waiting for the loop.
  void pump();

  /// Delivers a frame that was ruled `hold`, as if it were taken now. False if there is none.
  bool release(std::uint64_t frame_number);
  /// Another frame of that sender in the air, as if it had been ruled `hold`: a copy of one that
  /// it sent. It is not shown to frame_sent(). Returns its number.
  std::uint64_t hold_another(PortId from, base::Instant sent, Bytes frame);
  /// Forgets a held frame. False if there is none.
  bool drop(std::uint64_t frame_number);

  /// Puts a frame on the wire that no host sent. It is not shown to frame_sent(); it is
  /// delivered to the port of any link that has its destination address. Returns its number.
  std::uint64_t inject(Bytes frame);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tcplab::netns
