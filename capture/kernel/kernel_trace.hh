// Records the kernel's tracepoints through perf_event_open(2), with times of the timeline's clock.
// However the process ends, the kernel removes the events; a tracefs instance would stay. Needs
// CAP_PERFMON and read access to tracefs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hh"
#include "capture/kernel/kernel_record.hh"

namespace tcplab::capture {

/// This machine does not allow tracing.
class CannotTrace : public base::LabError {
public:
  explicit CannotTrace(const std::string& why, std::string fix = "")
      : LabError(why), fix_(std::move(fix)) {}
  /// Returns how to fix it; empty if it cannot be fixed.
  const std::string& fix() const { return fix_; }

private:
  std::string fix_;
};

class KernelTrace {
public:
  /// Starts recording all tracepoints(): some of the whole machine, some only of the calling thread
  /// (Tracepoint::this_thread_only). Thread IDs are those of the caller's pid namespace. Throws
  /// CannotTrace.
  KernelTrace();
  ~KernelTrace();
  KernelTrace(const KernelTrace&) = delete;
  KernelTrace& operator=(const KernelTrace&) = delete;

  /// Returns the tracepoints that this kernel lacks: "tcp:tcp_bad_csum".
  const std::vector<std::string>& missing() const;

  /// Returns the records since the last call, in order of time.
  std::vector<KernelRecord> take();

  /// Returns how many records were lost so far because a ring buffer was full.
  std::uint64_t lost() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tcplab::capture
