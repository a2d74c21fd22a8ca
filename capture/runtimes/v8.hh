// The JavaScript frames of Node: those of V8 that are on a thread's stack while it is in a system
// call, such as that of fs.readSync() or of child_process.execFileSync(). A program that waits for
// its event loop has none.
#pragma once

#include <memory>

#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// Returns null if the process is not Node, or a version whose layout is not known (v8_layout.hh).
/// Functions that V8 has inlined into another are not named: they have no frame. Only frames of
/// the bytecode interpreter have lines.
std::unique_ptr<Runtime> find_v8(const ProcessImage& image, const ProcessMemory& memory);

}  // namespace tcplab::capture
