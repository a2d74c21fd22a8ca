// Classifies the Packet events of a run. Each host that puts segments on a wire has a tracker of
// its own, so a router that forwards a segment does not retransmit it. Copies that a fault made and
// forged segments are classified, but are not counted as sent. Bounded memory.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"
#include "capture/follow/initial_sequences.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::capture {

struct TrackedPacket {
  SegmentTraits traits;
  std::int32_t sequence = 0;        // relative to the sender's initial sequence number
  std::int32_t acknowledgment = 0;  // relative to the receiver's
  bool has_sequence = false;        // false if the sender's initial sequence number is unknown
};

class PacketTracker {
public:
  /// Returns the traits of `packet`, the next Packet event of TCP. A frame that was held or delayed
  /// has two events, with the same traits.
  TrackedPacket note(const Packet& packet);
  /// Gives the packet of that frame, which is still to come, these traits.
  void expect(std::uint64_t frame, SegmentTraits traits);

private:
  using Hop = std::pair<std::string, FlowKey>;  // a host, and its own direction of the connection
  using Segment = std::tuple<FlowKey, std::uint32_t, std::uint32_t>;  // sequence number, length
  struct Connection {
    ConnectionBases bases;
    std::map<Hop, SequenceTracker> hops;
    // Who sent a flow first. Other hosts forward it: their frames are what they were there.
    std::map<FlowKey, std::string> origins;
    std::map<Segment, SegmentTraits> sent;  // by origins, as they last sent it
  };

  Connection& connection_of(const FlowKey& flow);
  SegmentTraits traits_of(const Packet& packet, const SegmentHeader& segment,
                          Connection& connection);
  static SegmentTraits traits_at_origin(const Packet& packet, const SegmentHeader& segment,
                                        Connection& connection);
  /// A frame that was held or delayed keeps the bases that it had when it was sent.
  SequenceBases bases_of(const Packet& packet, const SegmentHeader& segment,
                         ConnectionBases& connection);

  std::map<FlowKey, Connection> connections_;        // by the direction whose source is smaller
  std::deque<FlowKey> oldest_;                       // the order in which connections are forgotten
  std::map<std::uint64_t, SegmentTraits> expected_;  // frames that were held or delayed, too
  std::map<std::uint64_t, SequenceBases> departed_;  // frames that were held or delayed
};

}  // namespace tcplab::capture
