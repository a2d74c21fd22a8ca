// Nobody moves while the wire looks. A program that a frame has woken would otherwise run on
// another processor between the frame's delivery and our look at the receiver's kernel, and a
// state that it leaves at once (CLOSE_WAIT, before close) would be missed. So a run and its
// programs share one processor, and the run is never preempted by them (sched(7)): as SCHED_RR
// where that is allowed (runs on one processor take turns; SCHED_FIFO would let one that is busy
// starve the others), else by making them SCHED_BATCH, which does not preempt on waking.
// On a flooded wire nothing is looked at so closely, and the run uses every processor.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <cstddef>

namespace tcplab::engine {

class CpuPinning {
public:
  /// Takes a processor; runs with other numbers take others. Best effort: it never fails.
  explicit CpuPinning(std::size_t run);

  /// A program of the run, and what it will fork.
  void settle(pid_t program) const;

  /// Gives the processors back while the wire is flooded.
  void suspend(bool flooded);

private:
  void take_processor();

  cpu_set_t all_{};
  cpu_set_t own_{};
  bool suspended_ = false;
};

}  // namespace tcplab::engine
