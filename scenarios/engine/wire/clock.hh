// The clock that the engine waits on: this kernel's, or a virtual one that hosts with kernels of
// their own share.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.hh"

namespace boost::asio {
class io_context;
}

namespace tcplab::engine {

/// Rings once. set() replaces an earlier time.
class Alarm {
public:
  virtual ~Alarm() = default;
  virtual void set(base::Instant when, std::function<void()> ring) = 0;
  virtual void cancel() = 0;
};

class Clock {
public:
  virtual ~Clock() = default;
  virtual base::Instant now() const = 0;
  virtual std::unique_ptr<Alarm> make_alarm() = 0;
  /// Runs the loop until it is stopped.
  virtual void run() = 0;

  /// Whether the clock can stand still: hold(true) then stops it as soon as everything waits, until
  /// something is sent to a host, or until hold(false).
  virtual bool can_stand_still() const { return false; }
  virtual void hold(bool /*is_held*/) {}
};

/// Returns CLOCK_MONOTONIC, on the given loop.
std::unique_ptr<Clock> make_kernel_clock(boost::asio::io_context& loop);

}  // namespace tcplab::engine
