// Starts a program under the tracer: its first traced call is the first after exec.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "capture/calls/call_filter.hh"
#include "capture/calls/tracer.hh"

namespace tcplab::capture {

/// Holds a child until the tracer has seized it. Both processes have the object: the child calls
/// wait() and then install(), its parent calls open(). All throw base::SystemError.
class TraceGate {
public:
  explicit TraceGate(IoUring io_uring, FileMappings mappings = FileMappings::unseen)
      : filter_(call_filter(io_uring, mappings)) {}
  /// Without a filter, for a tracer that stops at every call.
  TraceGate() = default;

  /// In the child: waits until it is traced.
  void wait();
  /// In the child: installs the filter. From then on, it stops at calls.
  void install() const;
  /// In the parent, once the child is traced.
  void open();

private:
  std::vector<sock_filter> filter_;
  base::Pipe pipe_ = base::make_pipe();
};

/// A child of this process, under a tracer.
class TracedChild {
public:
  /// Forks, and lets the child run `command` (execvp(3)). Throws base::SystemError.
  TracedChild(Tracer& tracer, const std::vector<std::string>& command, TraceGate gate,
              TracedProgram program = 0);

  pid_t pid() const { return pid_; }
  /// Readable once exec has succeeded or failed.
  int errors() const { return errors_.get(); }
  /// Why exec failed: an errno; nothing if it succeeded or has not happened yet.
  std::optional<int> exec_error();

private:
  pid_t pid_ = 0;
  base::FileDescriptor errors_;
};

}  // namespace tcplab::capture
