// Notices that the lab itself stood still while a host's frame waited for it: on a machine that is
// too busy, in a virtual machine that was paused, or while the run was stopped. TCP notices such a
// stall as lost frames, so what follows says nothing about the scenario.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "base/clock.hh"
#include "base/error.hh"

namespace tcplab::lab {

/// The lab stood still for too long. Whatever the lab is doing at that time has no part in it.
class StallError : public base::LabError {
public:
  using LabError::LabError;
};

class StallWatch {
public:
  /// `limit`: the longest time that a frame may wait; zero for any time. `run_delay`: how long the
  /// lab has waited for a processor so far.
  StallWatch(base::Instant now, base::nanoseconds limit,
             std::function<base::nanoseconds()> run_delay)
      : alive_(now), beat_(now), limit_(limit), run_delay_(std::move(run_delay)) {}

  /// The lab has handled every frame that waited at that time.
  void alive(base::Instant then);

  /// To be called each heartbeat(). At a beat, every frame that waited at the beat before has been
  /// handled. What waits now may not be, because the lab may have stood still just before this
  /// call.
  void beat(base::Instant now);

  /// A frame is read from that host, or a fault's frame is due. Throws StallError if the lab
  /// has stood still for longer than the limit, so that the frame may have waited that long.
  void frame(base::Instant now, const std::string& host);

  /// From here on, any time is short enough.
  void stop() { limit_ = {}; }

  base::nanoseconds heartbeat() const { return limit_ / 8; }
  bool is_on() const { return limit_.count() > 0; }
  /// Whether frame() has thrown.
  bool stood_still() const { return stood_still_; }

private:
  base::Instant alive_;
  base::Instant beat_;
  base::nanoseconds limit_;
  std::function<base::nanoseconds()> run_delay_;
  base::nanoseconds delay_{};         // at the last beat
  base::nanoseconds delay_before_{};  // at the beat before it, which came before any stall
  bool stood_still_ = false;
};

}  // namespace tcplab::lab
