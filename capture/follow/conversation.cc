#include "capture/follow/conversation.hh"

#include <algorithm>

namespace tcplab::capture {

std::optional<std::size_t> largest_segment(const TcpSegment& tcp, const ConversationEnd& sender) {
  constexpr std::size_t kTimestamps = 12;  // RFC 7323, with padding; RFC 6691 section 2
  if (!sender.peer_mss) return std::nullopt;
  const std::size_t options = tcp.options.timestamps ? kTimestamps : 0;
  return std::max<std::size_t>(*sender.peer_mss, options + 1) - options;
}

std::uint32_t segments_in(const TcpSegment& tcp, const ConversationEnd& sender) {
  const std::size_t size = largest_segment(tcp, sender).value_or(tcp.length);
  return tcp.length <= size ? 1 : static_cast<std::uint32_t>((tcp.length + size - 1) / size);
}

Conversation::Conversation(const FlowKey& first, std::int64_t at) : began_at_(at) {
  ends_[0].address = first.source;
  ends_[1].address = first.destination;
}

std::int64_t Conversation::last_at() const { return std::max(ends_[0].last_at, ends_[1].last_at); }

SegmentReading Conversation::note(const DecodedFrame& frame, std::int64_t at) {
  const SegmentHeader segment = header_of(*frame.tcp);
  SegmentReading reading;
  const bool is_first_end = Endpoint{frame.ip->source, frame.tcp->source_port} == end(0).address;
  const std::size_t sender = is_first_end ? 0 : 1;
  const std::size_t receiver = 1 - sender;
  reading.sender = sender;
  if (const auto probes = first_probes_.find(segment, sender, trackers_))
    note_first_probes(*probes, reading);
  reading.before = {numbers(0), numbers(1)};
  ConversationEnd& seen = ends_.at(sender);
  const std::int64_t pause = at - seen.last_at;
  ++seen.segments;
  seen.last_at = at;
  sent_data_last_.at(sender) = segment.length > 0;
  if (segment.syn && frame.tcp->options.maximum_segment_size)
    ends_.at(receiver).peer_mss = frame.tcp->options.maximum_segment_size;
  if (segment.rst) {
    take_reset(segment, reading);
    return reading;
  }
  reset_.goes_on = reset_.goes_on || reset_.kind != ResetKind::none;
  states_.note(segment, reading);
  reading.traits = trackers_.at(sender).send(segment);
  if (const auto probes = first_probes_.find_repeated(segment, sender, pause,
                                                      reading.before.at(sender), trackers_)) {
    reading.traits.add(probes->kind);
    note_first_probes(*probes, reading);
  }
  trackers_.at(receiver).receive(segment);
  last_traits_ = reading.traits;
  if (reading.shows_unseen_answer) seen.unanswered = 0;
  count(reading.traits, sender);
  note_window(segment, reading);
  count_data(*frame.tcp, sender);
  return reading;
}

void Conversation::count_data(const TcpSegment& tcp, std::size_t sender) {
  const std::uint64_t octets = numbers(sender).octets;
  ConversationEnd& seen = ends_.at(sender);
  if (octets == seen.octets) return;
  seen.octets = octets;
  ++seen.data_frames;
  seen.data_segments += segments_in(tcp, seen);
}

void Conversation::count(SegmentTraits traits, std::size_t sender) {
  ConversationEnd& seen = ends_.at(sender);
  const auto count_if = [&](SegmentTrait trait, std::uint32_t& counter) {
    if (traits.has(trait)) ++counter;
  };
  count_if(SegmentTrait::retransmission, seen.retransmissions);
  count_if(SegmentTrait::out_of_order, seen.out_of_order);
  count_if(SegmentTrait::duplicate_ack, seen.duplicate_acks);
  count_if(SegmentTrait::keepalive_probe, seen.keepalive_probes);
  count_if(SegmentTrait::window_probe, seen.window_probes);
  count_if(SegmentTrait::zero_window, seen.zero_windows);
  ends_.at(1 - sender).unanswered = 0;
  if (traits.is_probe() || traits.has(SegmentTrait::retransmission) ||
      traits.has(SegmentTrait::partial_retransmission))
    ++seen.unanswered;
}

void Conversation::note_first_probes(const FirstProbes& probes, SegmentReading& reading) {
  ConversationEnd& seen = ends_.at(probes.end);
  (probes.kind == SegmentTrait::window_probe ? seen.window_probes : seen.keepalive_probes) +=
      probes.count;
  seen.unanswered += probes.count;
  reading.first_probes = probes;
}

void Conversation::note_window(const SegmentHeader& segment, SegmentReading& reading) {
  if (segment.syn) return;
  const bool was_closed = reading.before.at(reading.sender).window == 0U;
  reading.closes_window = segment.window == 0 && !was_closed;
  reading.opens_window = segment.window != 0 && was_closed;
}

// Section 3.10.7.1: a kernel without such a connection answers <SEQ=SEG.ACK><CTL=RST> to a
// segment with an ACK, <SEQ=0><ACK=...><CTL=RST,ACK> to one without.
ResetKind Conversation::kind_of_reset(const SegmentHeader& segment, std::size_t sender) const {
  const EndState& self = states_.end(sender);
  const EndState& other = states_.end(1 - sender);
  if (other.now == TcpState::syn_sent && !self.sent_syn) return ResetKind::refused;
  if (end(sender).unanswered > 0) return ResetKind::gave_up;
  if (!segment.ack && self.sent_fin) return ResetKind::after_close;
  const bool has_peers_number = segment.sequence == numbers(1 - sender).acknowledgment.value_or(0);
  // Section 3.10.7.3: a SYN,ACK for another number is refused, and the SYN remains.
  const bool was_for_another = other.sent_syn && self.now == TcpState::syn_sent &&
                               segment.sequence != numbers(sender).snd_nxt;
  if (!segment.ack && has_peers_number && was_for_another) return ResetKind::out_of_place;
  if (!segment.ack && has_peers_number) return ResetKind::no_connection;
  const bool has_own_number =
      !numbers(sender).is_known || segment.sequence == numbers(sender).snd_nxt;
  if (!has_own_number && !has_peers_number) return ResetKind::out_of_place;
  return self.sent_fin ? ResetKind::after_close : ResetKind::abort;
}

void Conversation::take_reset(const SegmentHeader& segment, SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  ConversationEnd& receiver = ends_.at(1 - sender);
  ++ends_.at(sender).resets;
  reading.reset = kind_of_reset(segment, sender);
  const bool is_in_place = reading.reset != ResetKind::out_of_place;
  if (is_in_place) receiver.unanswered = 0;  // a reset is an answer too
  if (is_in_place && reset_.kind == ResetKind::none)
    reset_ = {.kind = reading.reset,
              .by = sender,
              .after = last_traits_,
              .after_data = sent_data_last_.at(1 - sender),
              .states = {states_.end(0).now, states_.end(1).now}};
  states_.note(segment, reading);
}

}  // namespace tcplab::capture
