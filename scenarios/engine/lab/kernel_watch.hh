// What the hosts' kernels say of themselves, onto the timeline (`--kernel`): beside each frame what
// its receiver's kernel did with it, and what timers and system calls did.
// capture/kernel/kernel_trace listens, attribution says whose it is.
#pragma once

#include <string>
#include <vector>

#include "capture/kernel/kernel_trace.hh"
#include "netns/port.hh"
#include "scenarios/engine/lab/attribution.hh"
#include "scenarios/engine/lab/timeline.hh"

namespace tcplab::engine {

/// The tracepoints that this machine lacks. Throws capture::CannotTrace where none can be had.
std::vector<std::string> missing_tracepoints();

class KernelWatch {
public:
  /// To be made by the thread that writes the frames, before there are hosts.
  KernelWatch(Timeline& timeline, Attribution::Hosts hosts);

  /// What has come since the last time, but for what belongs to a frame.
  void look();

  /// Around the write(2) that hands a frame to a host. `frame`: its number on the timeline, or 0.
  void delivery_begins() { begin_ = base::now(); }
  void delivery_ended(const std::string& host, std::uint64_t frame, netns::Bytes bytes);

  /// The host's power goes: what its kernel says while it is taken down, nobody would hear.
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
