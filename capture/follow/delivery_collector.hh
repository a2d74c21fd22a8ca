// Collects facts about the data of a captured connection, and how it was delivered: which segments
// passed, which were retransmitted, and what the acknowledgments say of them. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "capture/follow/end_facts.hh"
#include "capture/follow/seen_segment.hh"
#include "capture/follow/which_end.hh"

namespace tcplab::capture {

class DeliveryCollector {
public:
  /// Notes a segment that is no RST. `replied_last` is the end that sent data last.
  void note(const SeenSegment& seen, WhichEnd replied_last, FactsOfEnds& ends);

  /// Returns how many duplicate ACKs an end has received since the last new acknowledgment.
  std::uint64_t duplicate_acks(std::size_t end) const { return ends_.at(end).duplicate_acks; }

private:
  struct Sent {
    std::uint32_t end;
    std::uint32_t length;  // of a segment on the wire
    std::int64_t at;
    bool is_beyond_header;
  };
  struct End {
    std::uint32_t duplicate_acks = 0;  // of the peer, since its last new acknowledgment
    std::uint32_t retransmits_in_hole = 0;
    std::vector<Sent> under_way;  // the first is the oldest
    bool hole = false;            // SACK has reported octets above SND.UNA
    std::uint32_t repeated = 0;   // the octet that was retransmitted after its acknowledgment
    std::uint32_t may_answer_again = 0;  // retransmissions before the last new acknowledgment
    std::int64_t small_at = 0;           // its last small segment, if that is unacknowledged
    std::int64_t late_ack_at = 0;        // a delayed ACK of it
    std::int64_t repeated_at = 0;
  };

  void note_data(const SeenSegment& seen, WhichEnd replied_last, EndFacts& facts);
  void note_new_data(const SeenSegment& seen, std::uint32_t length, EndFacts& facts);
  void note_retransmission(const SeenSegment& seen, EndFacts& facts);
  void note_nagle(const SeenSegment& seen, EndFacts& facts);
  static void note_attempt(const SeenSegment& seen, std::uint32_t length, EndFacts& facts);
  void note_acknowledgment(const SeenSegment& seen, FactsOfEnds& ends);
  static void advance(std::uint32_t acknowledgment, std::int64_t at, End& end, EndFacts& facts);
  static void begin_next_attempt(std::uint32_t acknowledgment, End& end, EndFacts& facts);
  static void note_sack(const SeenSegment& seen, End& end, EndFacts& facts);

  std::array<End, 2> ends_;
  std::int64_t last_data_at_ = 0;
};

}  // namespace tcplab::capture
