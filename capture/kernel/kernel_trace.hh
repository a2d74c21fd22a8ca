// The kernel's tracepoints, read through perf_event_open(2): what each says, with its time on the
// timeline's clock. Nothing of it is left in the kernel when the process ends, however it ends
// (an instance in tracefs would be). Needs CAP_PERFMON, and a tracefs that may be read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hh"
#include "capture/kernel/kernel_record.hh"

namespace tcplab::capture {

/// This machine does not let us trace.
class CannotTrace : public base::LabError {
public:
  explicit CannotTrace(const std::string& why, std::string mend = "")
      : LabError(why), mend_(std::move(mend)) {}
  /// What to do about it; empty where nothing can be done.
  const std::string& mend() const { return mend_; }

private:
  std::string mend_;
};

class KernelTrace {
public:
  /// From here on all that tracepoints() has is recorded: of the whole machine, or of the calling
  /// thread. Threads are numbered as in the caller's pid namespace. Throws CannotTrace.
  KernelTrace();
  ~KernelTrace();
  KernelTrace(const KernelTrace&) = delete;
  KernelTrace& operator=(const KernelTrace&) = delete;

  /// Those tracepoints that this kernel lacks: "tcp:tcp_bad_csum".
  const std::vector<std::string>& missing() const;

  /// What has been recorded since the last time, in order of time.
  std::vector<KernelRecord> take();

  /// How many records came faster than they were taken, so far.
  std::uint64_t lost() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tcplab::capture
