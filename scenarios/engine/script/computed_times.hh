// The times that a script has asked the lab to compute, and which of them depend on how late the
// kernel's timers are: it gives up at the first timer at or past a limit.
#pragma once

#include <map>
#include <optional>

#include "base/clock.hh"

namespace tcplab::engine {

class ComputedTimes {
public:
  /// `if_late`: the same time if the kernel's timers are late.
  void add(base::nanoseconds on_time, base::nanoseconds if_late);
  /// Returns how long a computed time takes if timers are late, or nothing if that makes no
  /// difference, or the time is not a computed one.
  std::optional<base::nanoseconds> if_late(base::nanoseconds on_time) const;

private:
  std::map<base::nanoseconds, base::nanoseconds> if_late_;  // by the time on time
};

}  // namespace tcplab::engine
