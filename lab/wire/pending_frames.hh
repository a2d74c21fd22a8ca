// Keeps the frames that a fault has touched until they are delivered or lost: delayed and held
// frames, and copies. Keeps the faults' effects with each frame. The wire keeps the bytes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "lab/wire/delay_queue.hh"
#include "lab/wire/frame_in_transit.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

struct PendingFrame {
  netns::PortId from{};
  base::Instant sent{};
  Effects effects;
  std::optional<capture::Packet> packet;  // as it was sent; nothing if the wire is flooded
  bool is_altered = false;
  bool is_stepped = false;  // the stepper is to stop it
  bool is_probe = false;    // of a window, or a keepalive probe
  std::vector<const Fault*> holders{};
  base::nanoseconds delay{};  // begins when nobody holds it

  bool goes_at_once() const { return holders.empty() && delay.count() == 0; }
};

class PendingFrames {
public:
  explicit PendingFrames(Clock& clock)
      : clock_(clock), delay_queue_(clock, [this](std::uint64_t frame) { finish(frame); }) {}

  /// To be called before the first frame.
  void connect(netns::Wire& wire) { wire_ = &wire; }

  void add(std::uint64_t frame, PendingFrame pending) {
    pending_frames_[frame] = std::move(pending);
  }
  /// Makes a copy, which the wire holds and the caller adds. Returns its number.
  std::uint64_t hold_another(const netns::Frame& like);
  /// Null if no fault has touched the frame, or if it has arrived.
  const PendingFrame* find(std::uint64_t frame) const;

  /// Sends the frame on, now or after its delay, unless a fault holds it.
  void send(std::uint64_t frame);
  /// Sends on a frame that a fault reorders, so that it arrives after `other`.
  void send_after(const Follower& follower, std::uint64_t other);
  /// Sends on the frames that only this fault holds, oldest first.
  void release(const Fault& fault);
  /// Delivers the frame to its receiver, whatever holds it.
  void deliver(std::uint64_t frame);
  std::optional<PendingFrame> lose(std::uint64_t frame);
  /// Adds an effect to what the frame's event will say.
  void note(std::uint64_t frame, const capture::Effect& effect);

  /// Asked before a frame is delivered: true stops it until deliver() or lose(). May be empty.
  std::function<bool(std::uint64_t frame)> is_stopped;

  /// Removes and returns the frames from that port.
  std::vector<PendingFrame> forget(netns::PortId from);

private:
  void delay(std::uint64_t frame, base::Instant from, base::nanoseconds span);
  void finish(std::uint64_t frame);

  Clock& clock_;
  netns::Wire* wire_ = nullptr;
  std::map<std::uint64_t, PendingFrame> pending_frames_;
  DelayQueue delay_queue_;
};

}  // namespace tcplab::lab
