// The time of a guest: its CLOCK_MONOTONIC, compared with the lab's clock.
#pragma once

#include <cstdint>

#include "base/clock.hh"
#include "uml/guest_kernel.hh"

namespace tcplab::uml {

class GuestTime {
public:
  /// Finds the offset. While the guest's clock stands still, its time is known exactly. On a busy
  /// machine the answer may come too late for that. Throws base::LabError if it always does.
  void measure(GuestKernel& kernel);

  /// Returns what to add to a time that a program has read from CLOCK_MONOTONIC.
  base::nanoseconds offset() const { return offset_; }
  /// Returns the lab's time at a time of the guest, in nanoseconds.
  base::Instant instant_of(std::uint64_t guest_time) const;

private:
  base::nanoseconds offset_{};
};

}  // namespace tcplab::uml
