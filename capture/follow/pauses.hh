// Measures the pauses of a connection: how long it was idle before a segment that got no answer.
// Counts the bursts in which each end has sent data. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "capture/follow/conversation.hh"

namespace tcplab::capture {

/// A time without a segment, in which nothing was unacknowledged and no probe was unanswered.
struct Idle {
  std::int64_t lasted = 0;   // nanoseconds
  std::size_t ended_by = 0;  // the end that spoke next
};

class Pauses {
public:
  /// Notes a frame. `talk` has noted it before and returned `reading`.
  void note(const TcpSegment& tcp, std::int64_t at, const Conversation& talk,
            const SegmentReading& reading);

  /// Returns the last idle time of at least a minute, if the end that ended it has had no answer
  /// since but a RST.
  const std::optional<Idle>& idle() const { return idle_; }
  /// Returns how often the end has sent new data after it had sent none for at least a second.
  std::uint32_t bursts(std::size_t end) const { return bursts_.at(end); }

private:
  void note_idle(const TcpSegment& tcp, std::int64_t at, const Conversation& talk,
                 std::size_t sender);

  std::optional<Idle> idle_;
  std::int64_t last_at_ = 0;
  bool is_quiet_ = false;
  std::array<std::uint32_t, 2> bursts_{};
  std::array<std::int64_t, 2> data_at_{};
};

}  // namespace tcplab::capture
