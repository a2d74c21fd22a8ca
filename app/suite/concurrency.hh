// How many runs may go on at once. On a machine that is too busy, the kernels' timers fire before
// the lab or a program gets a processor, and runs fail for that reason alone. Two things tell how
// busy the machine is: a tick of the suite that comes late, and a run that says that its programs
// mostly wait for a processor (machine/processor_waits.hh).
#pragma once

#include <cstddef>

#include "base/clock.hh"

namespace tcplab::app {

class Concurrency {
public:
  /// `most`: the number of runs that the user allows, at least 1.
  explicit Concurrency(std::size_t most);

  /// To be called at each tick of the suite. `late`: how much later than due the tick came;
  /// `running`: the runs in progress. A tick in time allows another run, or some of many; a late
  /// one allows fewer than are running, and for a second no more. After that, the number grows
  /// slowly.
  void ticked(base::Instant now, base::nanoseconds late, std::size_t running);

  /// To be called when a run says that it is starved. Allows fewer, as a late tick does. Several
  /// runs may say so at the same time, so it does so at most twice a second.
  void starved(base::Instant now, std::size_t running);

  /// How many runs may be in progress.
  std::size_t allowed() const { return allowed_; }

private:
  void shrink(base::Instant now, std::size_t running);

  std::size_t most_;
  std::size_t allowed_;
  base::Instant grows_after_{};
  base::Instant shrunk_{};
  bool was_busy_ = false;
};

}  // namespace tcplab::app
