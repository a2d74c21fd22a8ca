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
  /// `packet` is the next Packet event of TCP. A frame that was held or delayed has two events: the
  /// second has the traits of the first.
  TrackedPacket note(const Packet& packet);
  /// Gives the packet of that frame, which is still to come, these traits.
  void expect(std::uint64_t frame, SegmentTraits traits);

private:
  using Hop = std::pair<std::string, FlowKey>;  // a host, and its own direction of the connection
  using Segment = std::tuple<FlowKey, std::uint32_t, std::uint32_t>;  // sequence number, length
  struct Connection {
    std::map<FlowKey, std::uint32_t> initial;  // sequence numbers, shown as 0
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
  static void note_initial(const SegmentHeader& segment, const FlowKey& flow,
                           Connection& connection);

  std::map<FlowKey, Connection> connections_;        // by the direction whose source is smaller
  std::deque<FlowKey> oldest_;                       // the order in which connections are forgotten
  std::map<std::uint64_t, SegmentTraits> expected_;  // frames that were held or delayed, too
};

}  // namespace tcplab::capture
