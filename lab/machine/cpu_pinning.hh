// Programs must not run between the delivery of a frame and the question to the receiver's kernel.
// A program that the frame wakes could run on another processor and leave a state at once
// (CLOSE_WAIT, by close), which nobody would see. So a run and its programs share one processor,
// and the programs never preempt the run (sched(7)). Only while it starts has a program the run's
// priority (netns::LentPriority), until it blocks. If allowed, the run is SCHED_RR; SCHED_FIFO
// would let a busy run starve others on that processor. Otherwise the programs are SCHED_BATCH,
// which does not preempt on waking. On a flooded wire the run uses every processor. A run that uses
// most of its processor for some time gives up its priority, so that its neighbours can run.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include "base/clock.hh"

namespace tcplab::lab {

class CpuPinning {
public:
  /// Takes the processor that the run is on: the kernel has placed its new process where the least
  /// runs, whoever has started it. Best effort: never fails.
  CpuPinning();
  /// Returns to an ordinary priority and all processors, for the reports at the end of the run.
  ~CpuPinning() { suspend(true); }
  CpuPinning(const CpuPinning&) = delete;
  CpuPinning& operator=(const CpuPinning&) = delete;

  /// Moves a program, and what it will fork, to the processor of the run.
  void settle(pid_t program) const;

  /// Uses every processor while the wire is flooded.
  void suspend(bool flooded);

  /// Gives up the real-time priority while this thread uses most of its processor, so that other
  /// runs on it are not kept from running. To be called several times a second.
  void give_way(base::Instant now);

private:
  void take_processor();
  void set_priority();

  cpu_set_t all_{};
  cpu_set_t own_{};
  bool suspended_ = false;
  bool is_greedy_ = false;  // it has used most of its processor
  base::Instant measured_{};
  base::nanoseconds used_{};  // processor time, until then
};

}  // namespace tcplab::lab
