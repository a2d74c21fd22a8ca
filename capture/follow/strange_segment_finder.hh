// Finds segments that no end of a captured connection would send, and the challenge ACKs in answer
// to some of them. Pure; bounded memory.
#pragma once

#include <cstdint>
#include <optional>

#include "capture/follow/end_facts.hh"
#include "capture/follow/seen_segment.hh"
#include "capture/follow/which_end.hh"

namespace tcplab::capture {

class StrangeSegmentFinder {
public:
  /// Notes a segment that is no RST.
  void note(const SeenSegment& seen, EndFacts& sender);
  /// Notes that this segment is a SYN in a connection that was open.
  void note_stray_syn(const SeenSegment& syn) { to_be_challenged_ = syn.receiver(); }
  /// Notes a RST. The end that receives it may have sent what it refuses.
  void note_reset(const SeenSegment& reset, EndFacts& receiver) const;
  /// Notes that this RST has the numbers of neither end.
  void note_misplaced_reset(const SeenSegment& reset, EndFacts& sender);

private:
  bool is_short_of(std::uint32_t sequence) const;

  WhichEnd to_be_challenged_;            // the end that got a RST, SYN or ACK out of place
  std::optional<std::uint32_t> unsent_;  // that ACK is for octets below this
  WhichEnd flagless_by_;                 // the sender of the last segment, if that was so
};

}  // namespace tcplab::capture
