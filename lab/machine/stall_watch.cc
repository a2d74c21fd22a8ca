#include "lab/machine/stall_watch.hh"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hh"

namespace tcplab::lab {

void StallWatch::alive(base::Instant then) { alive_ = std::max(alive_, then); }

void StallWatch::beat(base::Instant now) {
  alive(beat_);
  beat_ = now;
  delay_before_ = std::exchange(delay_, run_delay_());
}

void StallWatch::frame(base::Instant now, const std::string& host) {
  const base::nanoseconds gap = now - alive_;
  const bool waited_too_long = is_on() && gap > limit_ + 2 * heartbeat();
  stood_still_ = stood_still_ || waited_too_long;
  if (waited_too_long)
    throw StallError(fmt::format(
        "the lab stood still for {} while a frame of {} waited, so that TCP may have timed out; "
        "the machine was too busy (the lab waited {} for a processor), or the run was stopped: run "
        "fewer at once (--jobs), or allow more than {} with TCPLAB_SLACK=MILLISECONDS",
        base::describe(gap), host, base::describe(std::min(run_delay_() - delay_before_, gap)),
        base::describe(limit_)));
  alive_ = now;
}

}  // namespace tcplab::lab
