// Waits in waitpid(2) until a traced program stops or ends. A SIGCHLD for each stop would cost
// twice as much. SIGIO ends the wait when a descriptor is readable, or at a deadline.
#pragma once

#include <functional>
#include <optional>

#include "capture/calls/tracer.hh"

namespace tcplab::capture {

class TraceLoop {
public:
  /// Takes SIGIO for itself; it stays ignored. A process can have one loop. Throws
  /// base::SystemError.
  explicit TraceLoop(Tracer& tracer);
  TraceLoop(const TraceLoop&) = delete;
  TraceLoop& operator=(const TraceLoop&) = delete;
  ~TraceLoop();

  /// Handles what has happened; waits if nothing has. `descriptor` ends the wait, too, once it is
  /// readable; -1 for none. Calls `flush` within 1 ms of a stop. Returns whether the descriptor is
  /// readable.
  bool turn(int descriptor, const std::function<void()>& flush);

  /// Makes turn() call `flush` at this time, too; nothing for never. For `flush` itself.
  void wake_at(std::optional<base::Instant> time) { alarm_ = time; }

  /// Makes turn() call `flush` soon. Any thread may call this.
  void interrupt() const;

private:
  void watch(int descriptor);
  bool tick(const std::function<void()>& flush);

  Tracer& tracer_;
  pid_t thread_;  // that made the loop
  int watched_ = -1;
  bool is_armed_ = false;  // the timer, to end within 1 ms
  std::optional<base::Instant> alarm_;
};

}  // namespace tcplab::capture
