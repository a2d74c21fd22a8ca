// Finds the runtime of a process. A new runtime is one file like python.hh and one line in
// find_runtime.cc.
#pragma once

#include <memory>

#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// Returns the runtime of the process, or null if it has none that is known. Both arguments must
/// live as long as the runtime.
std::unique_ptr<Runtime> find_runtime(const ProcessImage& image, const ProcessMemory& memory);

/// The runtime of a process that lives, and what it reads.
struct LiveRuntime {
  /// `maps`: the text of /proc/PID/maps.
  LiveRuntime(pid_t process, std::string_view maps)
      : memory(process), image(process, maps), runtime(find_runtime(image, memory)) {}

  LiveMemory memory;
  ProcessImage image;
  std::unique_ptr<Runtime> runtime;  // null: none is known
};

}  // namespace tcplab::capture
