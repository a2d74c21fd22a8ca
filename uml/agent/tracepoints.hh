// Records tracepoints of the guest's kernel, and returns the unparsed pages of its trace buffer.
// The guest has one processor, so there is one buffer. Linux, Documentation/trace/ftrace.rst.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "netns/machine_agent.hh"

namespace tcplab::uml {

class Tracepoints {
public:
  /// Records these from now on, with times of CLOCK_MONOTONIC. Returns the text of the `format`
  /// file of each; empty if the kernel has no such tracepoint. Throws base::SystemError; ENODEV if
  /// the kernel has no tracefs.
  std::vector<std::string> record(const std::vector<netns::TracepointChoice>& choices);

  /// Returns the pages (trace_pipe_raw) with what was recorded since the last time. Never waits.
  std::vector<std::vector<std::uint8_t>> take();

private:
  base::FileDescriptor pipe_;
};

}  // namespace tcplab::uml
