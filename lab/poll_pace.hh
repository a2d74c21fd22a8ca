// How often the lab asks the kernels for all their sockets: often while something happens, seldom
// while nothing does. Hundreds of runs may wait side by side, for minutes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/clock.hh"

namespace tcplab::lab {

class PollPace {
public:
  static constexpr base::nanoseconds kShortest = std::chrono::milliseconds(100);
  static constexpr base::nanoseconds kLongest = std::chrono::seconds(1);
  // While time is skipped, each look is one more time to stop at.
  static constexpr base::nanoseconds kLongestVirtual = std::chrono::seconds(10);

  explicit PollPace(base::nanoseconds longest = kLongest) : longest_(longest) {}

  void limit(base::nanoseconds longest) { longest_ = longest; }

  /// To be called each time that the kernels were asked, with the number of the last event.
  /// `is_overdue`: a timer has expired, and may end a connection any time, without a frame or a
  /// report of the kernel: the kernel runs its timers up to an eighth of their time late.
  void looked(std::uint64_t last_event, bool is_overdue) {
    const bool is_quiet = last_event == last_event_ && !is_overdue;
    last_event_ = last_event;
    pause_ = is_quiet ? std::min(2 * pause_, longest_) : kShortest;
  }

  /// To be called for each event. Returns true if the next look has to come sooner.
  bool hurries() {
    if (pause_ == kShortest) return false;
    pause_ = kShortest;
    return true;
  }

  /// Returns the time until the next look: just after the next timer, but not before kShortest.
  /// `timer`: the time until that expires.
  base::nanoseconds pause(base::nanoseconds timer = base::nanoseconds::max()) const {
    return std::clamp(timer + std::chrono::milliseconds(timer < pause_ ? 1 : 0), kShortest, pause_);
  }

private:
  base::nanoseconds longest_;
  std::uint64_t last_event_ = 0;
  base::nanoseconds pause_ = kShortest;
};

}  // namespace tcplab::lab
