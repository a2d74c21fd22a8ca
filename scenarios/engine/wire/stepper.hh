// Stops each frame at the end of its way, just before its receiver, until somebody lets it go or
// loses it: a run that a person steps through. What faults do to a frame has been done by then. Off
// until begin(). Keeps the account of it: a run that was stepped says so.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/engine/wire/pending_frames.hh"

namespace tcplab::engine {

class Stepper {
public:
  struct Hanging {
    std::uint64_t frame = 0;
    base::Instant since{};
  };

  Stepper(Clock& clock, PendingFrames& pending_frames);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  void begin() { is_on_ = true; }
  bool is_on() const { return is_on_; }
  /// What is a story of TCP's: segments, and the ICMP errors about them. ARP and neighbour
  /// discovery pass, or a host would be unreachable before anybody has pressed a key.
  bool is_about(netns::Bytes frame) const;

  /// In the order in which they came; the oldest goes first.
  const std::deque<Hanging>& hanging() const { return hanging_; }
  /// The oldest goes on to its receiver. Nothing happens when there is none.
  void deliver();
  /// The oldest is lost: what it was, for the timeline.
  std::optional<PendingFrame> lose();
  /// All go, and no more are stopped.
  void let_run();
  /// Frames whose sender was cut off are no more.
  void forget_gone();

  /// How long something has hung in the air, all in all, up to now.
  base::nanoseconds held_time() const;
  bool has_stopped_any() const { return stopped_ > 0; }
  /// "stepped: 12 frames stopped in the air, for 9.2 s in all; lost by hand: kang > kodos ..."
  std::string account() const;

  std::function<void()> on_change;  // of what hangs in the air

private:
  bool stops(std::uint64_t frame);
  Hanging take();
  void changed();

  Clock& clock_;
  PendingFrames& pending_frames_;
  bool is_on_ = false;
  std::deque<Hanging> hanging_;
  base::Instant busy_since_{};
  base::nanoseconds held_{};
  std::size_t stopped_ = 0;
  std::vector<std::string> lost_;
};

}  // namespace tcplab::engine
