// What the kernels of the hosts report through their tracepoints (`--tracepoints`), once a run
// listens to them.
#pragma once

#include <memory>

#include "lab/hosts/host_maker.hh"
#include "lab/programs/lab_host.hh"
#include "lab/record/timeline.hh"
#include "lab/tracepoints/kernel_watch.hh"

namespace tcplab::lab {

class KernelReports {
public:
  KernelReports(HostMaker& maker, Timeline& timeline) : maker_(maker), timeline_(timeline) {}

  /// Records from here on what the kernels report: kernel hosts, or this kernel for namespace
  /// hosts. Throws capture::CannotTrace.
  KernelWatch& listen_to_own_kernels();
  KernelWatch& listen_to_this_kernel(Attribution::Hosts hosts);
  bool is_on() const { return watch_ != nullptr; }

  /// Records what they have reported so far.
  void look() {
    if (watch_) watch_->look();
  }
  void came_up(LabHost& host) {
    if (watch_) watch_->came_up(host.name(), host.machine());
  }
  /// The host is about to lose its power.
  void power_goes(const LabHost& host) {
    if (watch_) watch_->power_goes(host.name());
  }

private:
  KernelWatch::Sink sink();

  HostMaker& maker_;
  Timeline& timeline_;
  std::unique_ptr<KernelWatch> watch_;  // null: nobody listens
};

}  // namespace tcplab::lab
