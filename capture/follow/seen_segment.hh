// A captured segment, and what is known of its connection when it comes.
#pragma once

#include <cstdint>

#include "capture/decode/decode.hh"
#include "capture/follow/conversation.hh"

namespace tcplab::capture {

struct SeenSegment {
  const DecodedFrame& frame;
  std::int64_t at;           // nanoseconds since 1970
  const Conversation& talk;  // has noted the segment
  const SegmentReading& reading;

  const TcpSegment& tcp() const { return *frame.tcp; }
  std::size_t sender() const { return reading.sender; }
  std::size_t receiver() const { return 1 - reading.sender; }
  /// Returns the sender's numbers before this segment.
  const SequenceVariables& own() const { return reading.before.at(sender()); }
  /// Returns the receiver's numbers before this segment.
  const SequenceVariables& others() const { return reading.before.at(receiver()); }
  /// Returns true if it has data, not in a SYN or a probe.
  bool is_data() const;
  bool is_retransmission() const;
  /// Returns true for an ACK without data, SYN, FIN and RST.
  bool is_pure_ack() const;
};

}  // namespace tcplab::capture
