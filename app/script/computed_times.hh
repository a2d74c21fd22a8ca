// The times that a script has computed with lab:timer, and why the kernel may deviate from them. It
// gives up at the first timer at or past a limit, so the delay of its timers matters. It may also
// send a tail loss probe at another time.
#pragma once

#include <map>
#include <optional>

#include "base/clock.hh"

namespace tcplab::app {

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

}  // namespace tcplab::app
