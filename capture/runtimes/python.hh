// The frames of CPython 3.8 to 3.13, from the states of its threads: _PyRuntime, the interpreters,
// their threads, and each thread's frames.
#pragma once

#include <memory>

#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// Returns null if the process has no CPython of a version whose layout is known
/// (python_layout.hh).
std::unique_ptr<Runtime> find_python(const ProcessImage& image, const ProcessMemory& memory);

}  // namespace tcplab::capture
