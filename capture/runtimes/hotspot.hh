// The frames of HotSpot, the Java virtual machine of OpenJDK. A thread that leaves Java for a
// system call notes its last Java frame (JavaFrameAnchor). From there the stack is walked as
// HotSpot's own serviceability agent does: frames of the interpreter, and of compiled code.
#pragma once

#include <memory>

#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// Returns null if the process has no HotSpot of a version that is known.
std::unique_ptr<Runtime> find_hotspot(const ProcessImage& image, const ProcessMemory& memory);

}  // namespace tcplab::capture
