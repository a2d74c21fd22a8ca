#include "capture/follow/packet_tracker.hh"

#include <algorithm>

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostTracked = 4096;  // a port scan or a SYN flood makes more
constexpr std::size_t kMostExpected = 1024;

}  // namespace

TrackedPacket PacketTracker::note(const Packet& packet) {
  const SegmentHeader segment = header_of(packet);
  const FlowKey flow{packet.source, packet.destination};
  Connection& known = connection_of(flow);
  const SequenceBases bases = bases_of(packet, segment, known.bases);
  // A forged segment shows nothing about the host whose address it has.
  std::optional<Connection> scratch;
  if (is_forged(packet)) scratch = known;
  Connection& connection = scratch ? *scratch : known;
  TrackedPacket tracked{.traits = traits_of(packet, segment, connection)};
  if (packet.fate == Fate::held || packet.fate == Fate::delayed)
    expect(packet.frame, tracked.traits);
  tracked.has_sequence = bases.sequence.has_value();
  tracked.sequence = static_cast<std::int32_t>(segment.sequence - bases.sequence.value_or(0));
  tracked.acknowledgment =
      static_cast<std::int32_t>(segment.acknowledgment - bases.acknowledgment.value_or(0));
  if (packet.delivered && !is_altered(packet)) {
    const auto receiver = connection.hops.find({packet.to, flow.reversed()});
    if (receiver != connection.hops.end()) receiver->second.receive(segment);
  }
  return tracked;
}

PacketTracker::Connection& PacketTracker::connection_of(const FlowKey& flow) {
  const FlowKey key = std::min(flow, flow.reversed());
  const auto [found, is_new] = connections_.try_emplace(key);
  if (!is_new) return found->second;
  oldest_.push_back(key);
  if (oldest_.size() > kMostTracked) {
    connections_.erase(oldest_.front());
    oldest_.pop_front();
  }
  return found->second;
}

SegmentTraits PacketTracker::traits_of(const Packet& packet, const SegmentHeader& segment,
                                       Connection& connection) {
  if (const auto known = expected_.find(packet.frame); known != expected_.end()) {
    const SegmentTraits traits = known->second;
    expected_.erase(known);
    return traits;
  }
  const FlowKey flow{packet.source, packet.destination};
  const Segment identity{flow, segment.sequence, segment.length};
  const std::string& origin = connection.origins.try_emplace(flow, packet.from).first->second;
  if (packet.from != origin) {
    const auto sent = connection.sent.find(identity);
    return sent == connection.sent.end() ? SegmentTraits{} : sent->second;
  }
  const SegmentTraits traits = traits_at_origin(packet, segment, connection);
  connection.sent.insert_or_assign(identity, traits);
  if (connection.sent.size() > kMostExpected) connection.sent.erase(connection.sent.begin());
  return traits;
}

SegmentTraits PacketTracker::traits_at_origin(const Packet& packet, const SegmentHeader& segment,
                                              Connection& connection) {
  const FlowKey flow{packet.source, packet.destination};
  SequenceTracker& sender =
      connection.hops.try_emplace({packet.from, flow}, Vantage::sender).first->second;
  if (!is_copy(packet)) return sender.send(segment);
  SegmentTraits traits = sender.classify(segment);
  traits.remove(SegmentTrait::retransmission);
  traits.remove(SegmentTrait::spurious_retransmission);
  traits.remove(SegmentTrait::duplicate_ack);
  return traits;
}

void PacketTracker::expect(std::uint64_t frame, SegmentTraits traits) {
  expected_.insert_or_assign(frame, traits);
  if (expected_.size() > kMostExpected) expected_.erase(expected_.begin());
}

SequenceBases PacketTracker::bases_of(const Packet& packet, const SegmentHeader& segment,
                                      ConnectionBases& connection) {
  const FlowKey flow{packet.source, packet.destination};
  if (const auto known = departed_.find(packet.frame); known != departed_.end()) {
    const SequenceBases bases = known->second;
    departed_.erase(known);
    return bases;
  }
  if (is_copy(packet)) return ConnectionBases(connection).note(flow, segment);  // it was noted
  const SequenceBases bases =
      is_forged(packet) ? connection.note_forged(flow, segment) : connection.note(flow, segment);
  if (packet.fate != Fate::held && packet.fate != Fate::delayed) return bases;
  departed_.insert_or_assign(packet.frame, bases);
  if (departed_.size() > kMostExpected) departed_.erase(departed_.begin());
  return bases;
}

}  // namespace tcplab::capture
