// Reads the pages of a kernel's trace buffer, as tracefs gives them in trace_pipe_raw, with
// libtraceevent. Pure. Linux, Documentation/trace/ring-buffer-map.rst and
// kernel/trace/ring_buffer.c.
#pragma once

#include <cstdint>
#include <functional>

#include "base/bytes.hh"

namespace tcplab::capture {

/// A record of the buffer. `at`: nanoseconds of the clock that trace_clock names.
using TraceSink = std::function<void(std::int64_t at, Bytes record)>;

/// Calls `sink` for each record of a page of a kernel like this one: 64 bits, the same byte order.
/// Returns false if the kernel has overwritten records before this page. Throws base::LabError if
/// the bytes are no whole page.
bool read_trace_page(Bytes page, const TraceSink& sink);

}  // namespace tcplab::capture
