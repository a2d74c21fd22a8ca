// Stops each frame just before its receiver until a person delivers or loses it. Faults have acted
// on the frame by then. Off until begin(). Also counts what was stopped, for the run's record.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/wire/pending_frames.hh"

namespace tcplab::lab {

class Stepper {
public:
  struct Hanging {
    std::uint64_t frame = 0;
    base::Instant since{};
    std::vector<std::uint64_t> again{};  // its retransmissions, which were sent meanwhile
  };

  Stepper(Clock& clock, PendingFrames& pending_frames);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  void begin() { is_on_ = true; }
  bool is_on() const { return is_on_; }
  /// True for TCP segments and for ICMP errors. ARP and neighbour discovery pass: otherwise a host
  /// would be unreachable before anybody presses a key.
  bool is_about(netns::Bytes frame) const;

  /// The frames that are stopped, the oldest first.
  const std::deque<Hanging>& hanging() const { return hanging_; }
  /// Delivers the oldest; does nothing if there is none. Its retransmissions are set aside: the
  /// kernels' timers ran while a person looked.
  void deliver();
  /// Loses the oldest and returns it, for the timeline. Its first retransmission takes its place.
  std::optional<PendingFrame> lose();
  /// Delivers all, and stops no more.
  void let_run();
  /// Removes frames whose sender left the wire.
  void forget_gone();

  /// Returns for how long any frame has been stopped so far.
  base::nanoseconds held_time() const;
  bool has_stopped_any() const { return stopped_ > 0; }
  /// Returns "stepped: 12 frames stopped, for 9.2 s in all; lost by hand: ...".
  std::string account() const;

  std::function<void()> on_change;  // of hanging()
  /// Called with each retransmission that is set aside, for the timeline.
  std::function<void(PendingFrame)> on_set_aside;

private:
  bool stops(std::uint64_t frame);
  Hanging* original_of(const PendingFrame& pending);
  void set_aside(const Hanging& hanging);
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

}  // namespace tcplab::lab
