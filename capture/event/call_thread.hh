// The thread that makes a call.
#pragma once

#include "capture/event/event.hh"

namespace tcplab::capture {

inline int thread_of(const Call& call) { return call.tid == 0 ? call.pid : call.tid; }

}  // namespace tcplab::capture
