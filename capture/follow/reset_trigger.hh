// Finds the segment that a RST answers. A kernel without the connection answers a segment at once,
// with its acknowledgment as the sequence number (RFC 9293 section 3.10.7.1). A RST after silence,
// or right after a segment of its own sender, answers none: a program, a timer or a device on the
// path sent it by itself. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "capture/follow/conversation.hh"
#include "capture/follow/which_end.hh"

namespace tcplab::capture {

struct ResetTrigger {
  enum class Kind : std::uint8_t { nothing, syn, data, fin, probe, ack };
  Kind kind = Kind::nothing;
  bool is_old = false;       // it has data, and the RST's sender had acknowledged all of it
  bool follows_own = false;  // the connection's last segment was of the RST's sender
  std::uint32_t below = 0;   // how far its first octet is below that acknowledgment; 0 if it is not
  std::int64_t silence = 0;  // nanoseconds from the connection's last segment to the RST
  std::optional<std::int64_t> own_silence;  // from the last segment of its sender, if any

  /// Returns true if its sender had sent another segment less than `limit` (nanoseconds) before.
  bool follows_own_within(std::int64_t limit) const { return own_silence && *own_silence < limit; }
};

class ResetTriggerFinder {
public:
  /// Notes a segment that is no RST.
  void note(const TcpSegment& tcp, std::int64_t at, const SegmentReading& reading);
  /// Returns what a RST answers.
  ResetTrigger find(const TcpSegment& reset, std::int64_t at, const SegmentReading& reading) const;

private:
  struct Last {
    std::int64_t at = 0;
    std::uint32_t sequence = 0;
    std::uint32_t end = 0;
    std::uint32_t acknowledgment = 0;
    bool has_data = false;
    bool has_syn = false;
    bool has_fin = false;
    bool is_probe = false;
  };
  struct End {
    std::optional<Last> last;
    std::optional<std::int64_t> quickest;  // its shortest time to answer a segment
  };

  bool is_answered_so_late(std::size_t end, std::int64_t delay) const;

  std::array<End, 2> ends_;
  WhichEnd last_sender_;
};

}  // namespace tcplab::capture
