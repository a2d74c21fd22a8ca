// The times that a script has asked the lab to compute, and what may change them: how late the
// kernel's timers are, because it gives up at the first timer at or past a limit, and when it
// sends a tail loss probe.
#pragma once

#include <map>
#include <optional>

#include "base/clock.hh"

namespace tcplab::engine {

struct ComputedTime {
  base::nanoseconds on_time;
  base::nanoseconds if_late;  // the same time if the kernel's timers are late
  base::nanoseconds probe{};  // the part that is the wait for a tail loss probe
};

class ComputedTimes {
public:
  void add(const ComputedTime& time);
  /// Returns nothing if the lab has not computed that time.
  std::optional<ComputedTime> find(base::nanoseconds on_time) const;

private:
  std::map<base::nanoseconds, ComputedTime> times_;  // by the time on time
};

}  // namespace tcplab::engine
