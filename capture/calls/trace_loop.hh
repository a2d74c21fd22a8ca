// Waits for what happens to traced programs, without polling: SIGCHLD, and the time at which a
// blocked call becomes worth telling.
#pragma once

#include <functional>

#include "base/file_descriptor.hh"
#include "capture/calls/tracer.hh"

namespace tcplab::capture {

class TraceLoop {
public:
  /// Blocks SIGCHLD in this thread, and reads it from a descriptor (signalfd(2)).
  explicit TraceLoop(Tracer& tracer);
  TraceLoop(const TraceLoop&) = delete;
  TraceLoop& operator=(const TraceLoop&) = delete;
  ~TraceLoop();

  /// Handles what has happened; waits if nothing has. `descriptor` ends the wait, too, once it is
  /// readable; -1 for none. Calls `flush` at least once a millisecond, and before a longer wait.
  /// Returns whether the descriptor is readable.
  bool turn(int descriptor, const std::function<void()>& flush);

private:
  Tracer& tracer_;
  base::FileDescriptor children_;
  base::Instant flushed_{};
};

}  // namespace tcplab::capture
