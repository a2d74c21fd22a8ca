#include "capture/follow/initial_sequences.hh"

#include <algorithm>

namespace tcplab::capture {

namespace {

// Connections to remember, about 15 MB: a flood of SYNs must not take more.
constexpr std::size_t kMostConnections = 100'000;
// An end that acknowledges a SYN acknowledges at most a first window of data with it: the window of
// a SYN is not scaled (RFC 7323 section 2.2).
constexpr std::uint32_t kFirstWindow = 0xffff;

bool answers(const SegmentHeader& segment, std::uint32_t initial) {
  const std::uint32_t acknowledged = segment.acknowledgment - initial;
  return acknowledged >= 1 && acknowledged <= 1 + kFirstWindow;
}

}  // namespace

SequenceBases ConnectionBases::note(const FlowKey& flow, const SegmentHeader& segment) {
  End& own = end(flow);
  End& peer = end(flow.reversed());
  // The numbers of a RST may be those of the segment that it refuses.
  if (!segment.rst) {
    if (segment.syn && own.iss != segment.sequence) own.irs.reset();  // a new connection
    if (segment.syn) {
      own.iss = segment.sequence;
      own.forged_syn.reset();  // the peer has not answered it so far
    }
    if (!own.iss) own.iss = segment.sequence - 1;
    if (segment.ack) note_acknowledgment(own, peer, segment);
  }
  return {own.iss, own.irs ? own.irs : peer.iss};
}

void ConnectionBases::note_acknowledgment(End& own, End& peer, const SegmentHeader& segment) {
  // After its own SYN, the first acknowledgment of an end names the peer's SYN that it accepted.
  if (own.irs && !segment.syn) return;
  if (peer.forged_syn && answers(segment, *peer.forged_syn)) {
    own.irs = peer.forged_syn;
    peer.forged_syn.reset();
  } else if (!own.irs) {
    own.irs = peer.iss ? *peer.iss : segment.acknowledgment - 1;
  }
  if (!peer.iss) peer.iss = own.irs;
}

SequenceBases ConnectionBases::note_forged(const FlowKey& flow, const SegmentHeader& segment) {
  End& shown = end(flow);
  const End& receiver = end(flow.reversed());
  const bool is_syn = segment.syn && !segment.rst;
  if (is_syn) shown.forged_syn = segment.sequence;
  std::optional<std::uint32_t> sequence = receiver.irs ? receiver.irs : shown.iss;
  if (!sequence) sequence = shown.forged_syn;
  return {sequence, receiver.iss};
}

ConnectionBases& InitialSequences::connection_of(const FlowKey& flow) {
  const FlowKey key = std::min(flow, flow.reversed());
  if (connections_.size() >= kMostConnections && !connections_.contains(key)) connections_.clear();
  return connections_[key];
}

SequenceBases InitialSequences::note(const DecodedFrame& frame) {
  const auto flow = flow_of(frame);
  return flow ? connection_of(*flow).note(*flow, header_of(*frame.tcp)) : SequenceBases{};
}

SequenceBases InitialSequences::note_forged(const DecodedFrame& frame) {
  const auto flow = flow_of(frame);
  return flow ? connection_of(*flow).note_forged(*flow, header_of(*frame.tcp)) : SequenceBases{};
}

}  // namespace tcplab::capture
