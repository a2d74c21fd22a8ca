// Finds what the sequence numbers of segments are relative to. Every view that shows relative
// numbers asks this class, so that the ladder, the summaries and the expectations agree.
#pragma once

#include <optional>
#include <unordered_map>

#include "capture/decode/flow_key.hh"
#include "capture/event/describe.hh"
#include "capture/follow/segment_header.hh"

namespace tcplab::capture {

/// The initial sequence numbers of one connection, as each end knows them. An end whose SYN was not
/// seen begins with its first segment, as 1.
///
/// A forged segment changes nothing until its receiver answers it: an end that acknowledges a
/// forged SYN has taken its number for the peer's.
class ConnectionBases {
public:
  /// Takes every segment that a host sends, in order; returns the bases to describe it with.
  SequenceBases note(const FlowKey& flow, const SegmentHeader& segment);
  /// The same for a segment that the lab made.
  SequenceBases note_forged(const FlowKey& flow, const SegmentHeader& segment);

private:
  struct End {
    std::optional<std::uint32_t> iss{};         // its own initial sequence number
    std::optional<std::uint32_t> irs{};         // the peer's, as this end has acknowledged it
    std::optional<std::uint32_t> forged_syn{};  // the number of the last SYN forged as from it
  };

  End& end(const FlowKey& flow) { return flow.source < flow.destination ? first_ : second_; }
  static void note_acknowledgment(End& own, End& peer, const SegmentHeader& segment);

  End first_;  // the one with the smaller address
  End second_;
};

/// The same for many connections, in bounded memory.
class InitialSequences {
public:
  SequenceBases note(const DecodedFrame& frame);
  SequenceBases note_forged(const DecodedFrame& frame);

private:
  ConnectionBases& connection_of(const FlowKey& flow);

  std::unordered_map<FlowKey, ConnectionBases, FlowKeyHash> connections_;
};

}  // namespace tcplab::capture
