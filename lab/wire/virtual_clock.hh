// The clock that a run shares with its kernel hosts or stack hosts. While everything waits, it
// jumps to the next timer: hours take seconds. While anything runs, it goes as fast as this
// machine's clock, so it never jumps while a program computes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lab/wire/clock.hh"

namespace tcplab::lab {

/// The hosts of a virtual clock.
class ClockHosts {
public:
  virtual ~ClockHosts() = default;

  struct Rest {
    std::optional<base::Instant> next_timer{};  // of all hosts; nothing if no timer is set
    std::uint64_t mark = 0;                     // changes whenever a host has run
  };
  /// Returns nothing while a host runs, or has not answered yet.
  virtual std::optional<Rest> rest() = 0;
  /// Moves base::now() and the clock of each host on, and wakes the hosts whose timer is due.
  virtual void skip(base::nanoseconds time) = 0;
  /// Stops base::now() and the clock of each host, until something is sent to a host or resume() is
  /// called. May do nothing, if a host runs after all.
  virtual void stand_still() = 0;
  virtual void resume() = 0;
  virtual bool stands_still() const = 0;
  virtual bool can_stand_still() const { return true; }
  /// Returns whether time may be skipped while all hosts rest.
  virtual bool may_skip() const { return true; }
  /// Returns a descriptor that becomes readable when a host comes to rest; then call serve().
  virtual int descriptor() const = 0;
  virtual void serve() = 0;
};

/// Returns a clock whose now() is base::now(). The hosts must live longer.
///
/// run() skips time only if nothing waits on the loop and every host rests, and if a second look at
/// the loop and the hosts finds no difference: a message may have been on its way at the first.
std::unique_ptr<Clock> make_virtual_clock(boost::asio::io_context& loop, ClockHosts& hosts);

}  // namespace tcplab::lab
