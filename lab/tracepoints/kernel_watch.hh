// Puts what the hosts' kernels report on the timeline (`--tracepoints`): beside each frame what its
// receiver's kernel did with it, and what timers and system calls did.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capture/kernel/kernel_trace.hh"
#include "lab/tracepoints/attribution.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

/// Returns the tracepoints that this machine lacks. Throws capture::CannotTrace if it has none.
std::vector<std::string> missing_tracepoints();

class KernelWatch {
public:
  /// Takes the events of the hosts' kernels, in order of time.
  using Sink = std::function<void(base::Instant at, capture::Body event)>;

  virtual ~KernelWatch() = default;

  /// Begins to watch a host that has started. Throws base::LabError if it is a kernel host without
  /// tracepoints.
  virtual void came_up(const std::string& host, netns::Machine& machine) = 0;
  /// Records what was reported since the last time, outside of a delivery.
  virtual void look() = 0;
  /// Called before and after a frame is delivered. `frame`: its number, or 0.
  virtual void delivery_begins() = 0;
  virtual void delivery_ended(const std::string& host, std::uint64_t frame, netns::Bytes bytes) = 0;
  /// Ignores the host's kernel from here on: the host loses its power.
  virtual void power_goes(const std::string& host) = 0;
};

/// Returns the watch of namespace hosts, through perf_event_open(2). The thread that writes the
/// frames calls it, before there are hosts. Throws capture::CannotTrace.
std::unique_ptr<KernelWatch> watch_this_kernel(KernelWatch::Sink sink, Attribution::Hosts hosts);

/// Returns the watch of kernel hosts, each through its tracefs.
std::unique_ptr<KernelWatch> watch_own_kernels(KernelWatch::Sink sink);

/// Says that some events of a kernel are missing from here on.
capture::Note lost_records();

}  // namespace tcplab::lab
