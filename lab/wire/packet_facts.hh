// The facts about a frame by which packet words select it: fields of its header, the traits of the
// segment for its sender, and its relative sequence numbers.
#pragma once

#include <cstdint>
#include <optional>

#include "capture/event/describe.hh"
#include "capture/follow/segment_header.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::lab {

struct PacketFacts {
  std::optional<capture::SegmentHeader> segment;  // none if the frame has no TCP header
  capture::SegmentTraits traits;                  // none for a forged frame
  std::int64_t sequence = 0;  // relative, as in the ladder; absolute if the SYN is unknown
  std::int64_t acknowledgment = 0;
  bool is_urgent = false;      // URG is set
  bool is_icmp_error = false;  // ICMP or ICMPv6
};

/// `traits` are those that the sender's tracker gives the segment before it is sent.
PacketFacts packet_facts(const capture::DecodedFrame& frame, capture::SegmentTraits traits = {},
                         const capture::SequenceBases& bases = {});

/// The facts of a copy that a fault makes. A copy is no retransmission: its sender sent it once.
PacketFacts facts_of_copy(PacketFacts original);

}  // namespace tcplab::lab
