// The interface of the clock that the lab waits on: the running kernel's, or a virtual one that
// the run shares with its hosts.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.hh"

namespace boost::asio {
class io_context;
}

namespace tcplab::lab {

/// Calls a function once, at a time. set() replaces an earlier time.
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
  /// If set, called after each turn of the loop: when all that was ready is handled.
  std::function<void()> between_turns;

  /// Returns whether the clock can stand still. If so, hold(true) stops it as soon as everything
  /// waits, until something is sent to a host, or until hold(false).
  virtual bool can_stand_still() const { return false; }
  virtual void hold(bool /*is_held*/) {}
  /// Returns whether time jumps while everything waits. So each alarm is one more time to stop at.
  virtual bool skips_time() const { return false; }
};

/// Returns CLOCK_MONOTONIC, on the given loop.
std::unique_ptr<Clock> make_kernel_clock(boost::asio::io_context& loop);

}  // namespace tcplab::lab
