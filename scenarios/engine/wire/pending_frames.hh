// Frames that a fault has touched, from when they were sent until they have landed or are lost:
// delayed ones, held ones, copies. What the fault did to each is kept with it, for whoever tells
// of its arrival. The bytes are the wire's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "netns/wire.hh"
#include "scenarios/engine/wire/delay_queue.hh"
#include "scenarios/engine/wire/frame_in_transit.hh"

namespace tcplab::engine {

struct PendingFrame {
  netns::PortId from{};
  base::Instant sent{};
  Effects effects;
  std::optional<capture::Packet> packet;  // as it was sent; nothing on a flooded wire
  bool is_altered = false;
  bool is_stepped = false;  // to be stopped at the gate
  std::vector<const Fault*> holders{};
  base::nanoseconds delay{};  // still to come, once nobody holds it

  bool goes_at_once() const { return holders.empty() && delay.count() == 0; }
};

class PendingFrames {
public:
  explicit PendingFrames(Clock& clock)
      : clock_(clock), delay_queue_(clock, [this](std::uint64_t frame) { land(frame); }) {}

  /// Before the first frame.
  void connect(netns::Wire& wire) { wire_ = &wire; }

  void add(std::uint64_t frame, PendingFrame pending) {
    pending_frames_[frame] = std::move(pending);
  }
  /// Puts another one like it into the air; to be added. Returns its number.
  std::uint64_t hold_another(const netns::Frame& like);
  const PendingFrame* find(std::uint64_t frame) const;

  /// It goes as soon as it may: now, after its delay, or when its fault lets it go.
  void depart(std::uint64_t frame);
  /// A frame that waited for others goes, after that one.
  void depart_after(const Follower& follower, std::uint64_t other);
  /// What the fault holds goes, oldest first.
  void release(const Fault& fault);
  /// One that the gate has kept goes on to its receiver; or is lost.
  void arrive(std::uint64_t frame);
  std::optional<PendingFrame> lose(std::uint64_t frame);
  /// Adds an effect to what the frame's event will say.
  void note(std::uint64_t frame, const capture::Effect& effect);

  /// Asked at the end of a frame's way: true keeps it there. May be empty.
  std::function<bool(std::uint64_t frame)> gate;

  /// What came from that port is no more.
  std::vector<PendingFrame> forget(netns::PortId from);

private:
  void fly(std::uint64_t frame, base::Instant from, base::nanoseconds delay);
  void land(std::uint64_t frame);

  Clock& clock_;
  netns::Wire* wire_ = nullptr;
  std::map<std::uint64_t, PendingFrame> pending_frames_;
  DelayQueue delay_queue_;
};

}  // namespace tcplab::engine
