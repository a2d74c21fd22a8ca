// Puts what the hosts' kernels report on the timeline (`--tracepoints`): beside each frame what its
// receiver's kernel did with it, and what timers and system calls did.
// capture/kernel/kernel_trace listens; attribution finds the host.
#pragma once

#include <string>
#include <vector>

#include "capture/kernel/kernel_trace.hh"
#include "netns/port.hh"
#include "scenarios/engine/lab/attribution.hh"
#include "scenarios/engine/lab/timeline.hh"

namespace tcplab::engine {

/// Returns the tracepoints that this machine lacks. Throws capture::CannotTrace if it has none.
std::vector<std::string> missing_tracepoints();

class KernelWatch {
public:
  /// The thread that writes the frames makes it, before there are hosts.
  KernelWatch(Timeline& timeline, Attribution::Hosts hosts);

  /// Records what was reported since the last time, outside of a delivery.
  void look();

  /// Called before and after the write(2) that delivers a frame. `frame`: its number, or 0.
  void delivery_begins() { begin_ = base::now(); }
  void delivery_ended(const std::string& host, std::uint64_t frame, netns::Bytes bytes);

  /// Ignores the host's kernel from here on: the host loses its power.
  void power_goes(const std::string& host);

private:
  void tell(const Delivery* delivery);
  void tell_of_losses();

  Timeline& timeline_;
  capture::KernelTrace trace_;
  Attribution attribution_;
  base::Instant begin_{};
  bool has_lost_ = false;
};

}  // namespace tcplab::engine
