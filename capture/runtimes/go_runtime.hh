// The goroutines of a Go program that wait for the network, with their frames. Go's runtime parks
// them, and waits for all descriptors in one epoll_wait(2). 1.18 and later, 64-bit.
#pragma once

#include <memory>

#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

/// Returns null if the process runs no program written in Go. Where its file does not say where the
/// goroutines are (go build -ldflags=-s), there are no tasks.
std::unique_ptr<Runtime> find_go(const ProcessImage& image, const ProcessMemory& memory);

}  // namespace tcplab::capture
