#include "capture/runtimes/find_runtime.hh"

#include <array>

#include "capture/runtimes/go_runtime.hh"
#include "capture/runtimes/hotspot.hh"
#include "capture/runtimes/python.hh"
#include "capture/runtimes/v8.hh"

namespace tcplab::capture {

namespace {

using FindRuntime = std::unique_ptr<Runtime> (*)(const ProcessImage&, const ProcessMemory&);

/// One line for each runtime.
constexpr std::array<FindRuntime, 4> kRuntimes = {find_python, find_v8, find_hotspot, find_go};

}  // namespace

std::unique_ptr<Runtime> find_runtime(const ProcessImage& image, const ProcessMemory& memory) {
  for (const FindRuntime find : kRuntimes) {
    try {
      if (auto runtime = find(image, memory)) return runtime;
    } catch (const UnreadableMemory&) {
      continue;  // it is not this one, or it has not started yet
    }
  }
  return nullptr;
}

}  // namespace tcplab::capture
