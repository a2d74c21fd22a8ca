// Follows the timestamps of a capture. Merged and concatenated files, and interfaces whose clocks
// differ, make them jump. The time between two stretches says nothing about any connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tcplab::reports {

class CaptureClock {
public:
  /// Notes the next frame's time, in nanoseconds since 1970.
  void note(std::int64_t at);

  /// Returns the number of the stretch that the last frame is in. A new one begins when the time
  /// goes back by a minute, or jumps forward by a day.
  std::size_t stretch() const { return ends_.size() - 1; }
  /// Returns the latest time of a stretch.
  std::int64_t end_of(std::size_t stretch) const { return ends_.at(stretch); }

  std::int64_t first_at() const { return first_at_; }  // the earliest
  std::int64_t last_at() const { return last_at_; }    // the latest
  std::int64_t previous_at() const { return previous_at_; }
  std::uint64_t returns() const { return returns_; }  // timestamps before the previous frame's
  std::int64_t farthest_return() const { return farthest_return_; }
  std::uint64_t jumps() const { return jumps_; }  // by a day or more
  std::int64_t farthest_jump() const { return farthest_jump_; }

private:
  std::vector<std::int64_t> ends_;  // of the stretches
  std::int64_t first_at_ = 0;
  std::int64_t last_at_ = 0;
  std::int64_t previous_at_ = 0;
  std::uint64_t returns_ = 0;
  std::int64_t farthest_return_ = 0;
  std::uint64_t jumps_ = 0;
  std::int64_t farthest_jump_ = 0;
};

}  // namespace tcplab::reports
