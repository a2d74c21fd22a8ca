// Finds what newer segments of a captured connection have overtaken: ACKs and data with an older
// timestamp or identification. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>

#include "capture/follow/end_facts.hh"
#include "capture/follow/seen_segment.hh"

namespace tcplab::capture {

class ReorderingFinder {
public:
  /// Notes a segment that is no RST. Its sender has received `duplicate_acks` since the last new
  /// acknowledgment.
  void note(const SeenSegment& seen, std::uint64_t duplicate_acks, EndFacts& sender);

private:
  struct End {
    std::uint32_t newest_identification = 0;  // of the segment with its highest octet
    bool spoke_below = false;                 // data below octets that were acknowledged
    bool has_gap = false;                     // some octets below its highest were never seen
    std::int64_t gap_at = 0;                  // when it went on above the first of those
  };

  std::array<End, 2> ends_;
};

}  // namespace tcplab::capture
