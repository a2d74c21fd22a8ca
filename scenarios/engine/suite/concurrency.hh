// How many runs may go on at once. On a machine that is too busy, the kernels' timers fire before
// the lab gets a processor, and runs fail for that reason alone. The suite's own tick tells how
// busy the machine is: a tick that comes late has waited for a processor.
#pragma once

#include <cstddef>

#include "base/clock.hh"

namespace tcplab::engine {

class Concurrency {
public:
  /// `most`: the number of runs that the user allows, at least 1.
  explicit Concurrency(std::size_t most);

  /// To be called at each tick of the suite. `late`: how much later than due the tick came;
  /// `running`: the runs in progress. A tick in time allows another run, or some of many; a late
  /// one allows fewer than are running, and for a second no more.
  void ticked(base::Instant now, base::nanoseconds late, std::size_t running);

  /// How many runs may be in progress.
  std::size_t allowed() const { return allowed_; }

private:
  std::size_t most_;
  std::size_t allowed_;
  base::Instant grows_after_{};
};

}  // namespace tcplab::engine
