// The wire: layer-2 segments (links) in user space, between the ports of hosts. It handles one
// frame at a time. The observer decides whether the frame is delivered. It is called before and
// after the delivery, so that it can ask the sender's and the receiver's kernel for their state.
//
// If several ports have frames waiting, the wire takes the frame that was sent first. It can do so
// with at most 16 ports that know when their frames were sent (Port::next_sent()). Single-threaded,
// on the given event loop.
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

/// Identifies one attachment of a port. An ID is never reused after detach().
enum class PortId : std::uint32_t {};

/// Identifies a layer-2 segment. A frame never reaches a port on another link.
enum class LinkId : std::uint32_t {};

struct Frame {
  std::uint64_t number = 0;  // counts up from 1 on each wire
  base::Instant sent{};      // when the host sent it if its port knows, else when the wire read it
  PortId from{};             // PortId{}: no host sent it (inject())
  Bytes bytes;
  Offload offload{};  // what the sender's NIC left to do
};

enum class FrameDecision : std::uint8_t { deliver, lose, hold };

/// Why a frame reached no host.
enum class Undelivered : std::uint8_t {
  sender_gone,      // an observer detached its sender
  receiver_down,    // its receiver's NIC refused it
  nobody_else,      // it is a broadcast or multicast, and no other port is on the link
  receiver_gone,    // the port with its destination address is detached
  unknown_address,  // no port of the link has ever had its destination address
};

/// Decides what happens to each frame, and watches it. Its functions may call attach(), detach(),
/// inject(), release() and drop() of the wire. pump() does nothing there, because the current frame
/// comes first. The wire discards multicast listener reports (RFC 3810), which a kernel sends at
/// times of its own, before the observer sees them.
class WireObserver {
public:
  virtual ~WireObserver() = default;

  /// Decides, for all receivers, what happens to a frame that was sent. May replace its content
  /// (frame.bytes, frame.offload); the new bytes must live until frame_decided() returns.
  virtual FrameDecision frame_sent(Frame& frame) = 0;
  /// Called once the decision is carried out. A held frame can be released from here on.
  virtual void frame_decided(const Frame& /*frame*/) {}
  /// Called before the frame is delivered to `to`. If that NIC refuses the frame, no
  /// frame_delivered() follows.
  virtual void frame_delivering(const Frame& /*frame*/, PortId /*to*/) {}
  /// Called for each receiver, after the frame was delivered to `to` and that host's stack has run.
  /// `delivered` is when the host received it: before each call that the frame makes return.
  virtual void frame_delivered(const Frame& frame, PortId to, base::Instant delivered) = 0;
  /// Called if a frame with the decision `deliver` reached no host.
  virtual void frame_undelivered(const Frame& frame, Undelivered why) = 0;
};

class Wire {
public:
  Wire(boost::asio::io_context& loop, WireObserver& observer);
  ~Wire();

  /// Attaches a port, which must outlive its attachment. Discards what the host sent before, as an
  /// unplugged cable would. The port receives the frames on its link that are addressed to `mac`,
  /// to a group, or to an address that no port on the link has ever had.
  PortId attach(Port& port, MacAddress mac, LinkId link = {});

  /// Detaches a port. From then on no frame of its host reaches the wire, whether already sent or
  /// not, and none is delivered to it. Its held frames are dropped. The wire remembers its address:
  /// frames for it reach no host, as through a switch that has learned the address.
  void detach(PortId id);

  /// Processes every frame that waits on any port, without waiting for the event loop.
  void pump();

  /// Delivers a held frame. Returns false if no frame with this number is held.
  bool release(std::uint64_t frame_number);
  /// Holds a copy of this frame under a new number, and returns the number. Does not call
  /// frame_sent().
  std::uint64_t hold_another(const Frame& like);
  /// Drops a held frame. Returns false if no frame with this number is held.
  bool drop(std::uint64_t frame_number);

  /// Sends a frame that no host sent, to the port with its destination address, on any link. The
  /// observer sees a frame from PortId{}, and decides on it as on any other. Returns its number.
  std::uint64_t inject(Bytes frame);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tcplab::netns
