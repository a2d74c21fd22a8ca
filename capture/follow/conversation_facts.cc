#include "capture/follow/conversation_facts.hh"

#include <algorithm>

#include "capture/decode/tcp_checksum.hh"
#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostErrors = 8;
constexpr std::size_t kMostUnderWay = 64;
constexpr std::uint64_t kFastRetransmit = 3;      // RFC 5681 section 3.2
constexpr std::size_t kSmall = 500;               // octets
constexpr std::int64_t kDelayedAck = 30'000'000;  // nanoseconds; Linux has 40 ms
constexpr std::int64_t kAtOnce = 2'000'000;
constexpr std::int64_t kShortestTimeout = 100'000'000;  // Linux: 200 ms

/// True if the segment is beyond the window that the header of the peer's last segment has, read
/// without the scale that the peer's SYN announced (RFC 7323).
bool is_beyond_header(const TcpSegment& tcp, const SequenceVariables& own) {
  if (own.peer_window_scale == 0 || !own.peer_window || !own.is_acknowledged) return false;
  const std::uint32_t end = tcp.sequence + static_cast<std::uint32_t>(tcp.length);
  return is_before(own.snd_una + *own.peer_window, end);
}

/// A pure ACK, the same as the sender's last one. It has no D-SACK, which is counted by itself.
bool acknowledges_again(const TcpSegment& tcp, const SegmentReading& reading) {
  const SequenceVariables& own = reading.before.at(reading.sender);
  const bool is_plain = (tcp.flags & (TcpFlags::kSyn | TcpFlags::kFin)) == 0 && tcp.length == 0;
  return is_plain && !reading.traits.is_probe() && tcp.options.sack_count == 0 &&
         own.acknowledgment == tcp.acknowledgment && own.window == tcp.window;
}

SynOptions options_of(const TcpSegment& tcp) {
  return {.maximum_segment_size = tcp.options.maximum_segment_size.has_value(),
          .window_scale = tcp.options.window_scale.has_value(),
          .sack = tcp.options.sack_permitted,
          .timestamps = tcp.options.timestamps.has_value()};
}

/// For a SYN,ACK, and the variables of the end that sent the SYN. A SYN may have data (RFC 7413).
bool is_for_another_syn(const TcpSegment& tcp, const SequenceVariables& asked) {
  return asked.has_sent_syn && !asked.is_acknowledged && tcp.acknowledgment != asked.iss + 1 &&
         tcp.acknowledgment != asked.snd_nxt;
}

void count_checksum(const DecodedFrame& frame, EndFacts& facts) {
  const auto is_right = has_right_checksum(frame);
  if (is_right == true) ++facts.right_checksums;
  if (is_right == false && frame.tcp->length > 0) ++facts.wrong_checksums;
}

}  // namespace

void ConversationFacts::note(const DecodedFrame& frame, std::int64_t at, const Conversation& talk,
                             const SegmentReading& reading, Duplicate duplicate) {
  const TcpSegment& tcp = *frame.tcp;
  const std::size_t sender = reading.sender;
  EndFacts& facts = ends_.at(sender).facts;
  ends_.at(sender).recent.add(tcp.sequence);
  pauses_.note(tcp, at, talk, reading);
  count_checksum(frame, facts);
  if (reading.first_probes) note_first_probes(*reading.first_probes);
  if (tcp.has(TcpFlags::kRst)) return note_reset(frame, at, reading);
  trigger_finder_.note(tcp, at, reading);
  if (!facts.hop_limit) facts.hop_limit = frame.ip->hop_limit;
  if (*facts.hop_limit != frame.ip->hop_limit) facts.has_several_hop_limits = true;
  if (note_altered(tcp, sender, duplicate)) return;
  note_answer(tcp, sender, talk);
  note_impossible(frame, reading);
  note_order(frame, at, reading, talk.missing(sender).above > 0);
  if (tcp.has(TcpFlags::kSyn)) note_syn(tcp, at, reading, talk);
  last_was_flagless_ = (tcp.flags & (TcpFlags::kSyn | TcpFlags::kAck)) == 0;
  note_windows(reading);
  note_probe(reading);
  if (tcp.has(TcpFlags::kAck)) note_acknowledgment(tcp, at, reading, talk);
  note_data(tcp, at, reading, talk);
  note_closing(header_of(tcp), at, reading);
  last_sender_ = sender;
  was_over_ = talk.states().is_over() && talk.states().have_both_sent_fin();
}

bool ConversationFacts::note_altered(const TcpSegment& tcp, std::size_t sender,
                                     Duplicate duplicate) {
  const bool is_silent = !tcp.has(TcpFlags::kSyn) && !tcp.has(TcpFlags::kFin) && tcp.length < 2;
  if (duplicate != Duplicate::altered || is_silent) return false;
  ++ends_.at(sender).facts.altered;
  return true;
}

void ConversationFacts::note_forwarded(const DecodedFrame& frame, std::size_t sender) {
  EndFacts& facts = ends_.at(sender).facts;
  ++facts.forwarded;
  facts.not_forwarded = 0;
  if (frame.tcp->has(TcpFlags::kSyn)) hops_ = std::max(hops_, ++hops_of_syn_);
}

void ConversationFacts::note_copy(const DecodedFrame& frame, std::size_t sender) {
  if (frame.tcp->length > 0) ++ends_.at(sender).facts.copies;
}

void ConversationFacts::note_icmp(const DecodedFrame& frame, std::size_t sender,
                                  const Conversation& talk) {
  const IcmpMessage& icmp = *frame.icmp;
  const SequenceVariables& numbers = talk.numbers(sender);
  EndFacts& facts = ends_.at(sender).facts;
  ++facts.icmp_errors;
  if (facts.icmp.size() >= kMostErrors) return;
  const std::uint32_t sequence = icmp.quoted->sequence;
  const bool has_oldest = numbers.is_acknowledged || numbers.has_sent_syn;
  // An error about a probe (SND.UNA-1), or about a segment that was acknowledged since, is honest.
  const bool was_sent = ends_.at(sender).recent.contains(sequence);
  const bool is_above = !has_oldest || !is_before(sequence, numbers.snd_una);
  const bool is_below = !numbers.is_known || !is_before(numbers.snd_nxt, sequence);
  const bool is_in_place = was_sent || (is_above && is_below);
  facts.icmp.push_back({.kind = kind_of(icmp),
                        .mtu = icmp.mtu,
                        .from = frame.ip->source,
                        .is_from_peer = frame.ip->source == icmp.quoted->destination.address,
                        .is_in_place = is_in_place,
                        .state = talk.states().end(sender).now});
}

void ConversationFacts::note_syn(const TcpSegment& tcp, std::int64_t at,
                                 const SegmentReading& reading, const Conversation& talk) {
  const std::size_t sender = reading.sender;
  const SequenceVariables& before = reading.before.at(sender);
  EndFacts& facts = ends_.at(sender).facts;
  hops_of_syn_ = 1;
  const bool answers = tcp.has(TcpFlags::kAck);
  if (facts.syns == 0 && facts.syn_acks == 0) facts.syn_options = options_of(tcp);
  if (talk.states().was_established() && before.is_known && (!answers || facts.syn_acks == 0)) {
    ++facts.stray_syns;
    if (facts.stray_syns_waiting++ == 0) facts.first_stray_at = at;
    facts.last_syn_at = at;
    to_be_challenged_ = 1 - sender;
    return;
  }
  if (answers) {
    if (facts.syn_acks > 0 && before.has_sent_syn && before.iss != tcp.sequence)
      ++facts.other_syn_acks;
    const EndFacts& asker = ends_.at(1 - sender).facts;
    if (is_for_another_syn(tcp, reading.before.at(1 - sender))) ++facts.wrong_syn_acks;
    if (facts.syn_acks == 0 && asker.syns == 1) facts.round_trip = at - asker.first_syn_at;
    ++facts.syn_acks;
    if (before.is_acknowledged) ++facts.syn_acks_after_answer;
    return;
  }
  if (before.has_sent_syn && before.iss != tcp.sequence) ++facts.other_syns;
  const bool asks_for_ecn = tcp.has(TcpFlags::kEcnEcho) && tcp.has(TcpFlags::kWindowReduced);
  if (facts.syns == 0) facts.syn_asked_for_ecn = asks_for_ecn;
  if (facts.syns > 0 && facts.syn_asked_for_ecn && !asks_for_ecn) facts.syn_gave_up_ecn = true;
  facts.syn_data = std::max(facts.syn_data, tcp.length);
  if (facts.syns++ == 0) facts.first_syn_at = at;
  facts.last_syn_at = at;
}

void ConversationFacts::note_windows(const SegmentReading& reading) {
  EndFacts& facts = ends_.at(reading.sender).facts;
  if (reading.closes_window) {
    ++facts.windows_closed;
    facts.window_is_closed = true;
  }
  if (reading.opens_window && facts.window_is_closed) {
    facts.window_is_closed = false;
    facts.window_opened = true;
  }
  last_opened_window_ = reading.opens_window && facts.window_opened;
}

void ConversationFacts::note_first_probes(const FirstProbes& probes) {
  EndFacts& facts = ends_.at(probes.end).facts;
  if (probes.kind == SegmentTrait::window_probe) {
    facts.window_probes += probes.count;
  } else {
    facts.keepalives += probes.count;
    facts.keepalives_waiting += probes.count;
  }
}

void ConversationFacts::note_probe(const SegmentReading& reading) {
  EndFacts& self = ends_.at(reading.sender).facts;
  EndFacts& other = ends_.at(1 - reading.sender).facts;
  if (other.keepalives_waiting > 0) ++other.keepalives_answered;
  other.keepalives_waiting = 0;
  other.stray_syns_waiting = 0;
  if (reading.traits.has(SegmentTrait::window_probe)) ++self.window_probes;
  if (reading.traits.is_probe()) ends_.at(reading.sender).may_answer_again = 0;
  if (!reading.traits.has(SegmentTrait::keepalive_probe)) return;
  if (other.window_opened) {
    ++self.probes_after_opening;
  } else {
    ++self.keepalives;
    ++self.keepalives_waiting;
  }
}

bool ConversationFacts::RecentNumbers::contains(std::uint32_t sequence) const {
  return std::ranges::find(numbers_, std::optional(sequence)) != numbers_.end();
}

void ConversationFacts::note_data(const TcpSegment& tcp, std::int64_t at,
                                  const SegmentReading& reading, const Conversation& talk) {
  End& self = ends_.at(reading.sender);
  if (tcp.length == 0 || tcp.has(TcpFlags::kSyn) || reading.traits.is_probe()) return;
  ++self.facts.data_segments;
  const bool is_retransmission = reading.traits.has(SegmentTrait::retransmission) ||
                                 reading.traits.has(SegmentTrait::partial_retransmission);
  const ConversationEnd& sender = talk.end(reading.sender);
  const std::size_t length =
      std::min(tcp.length, largest_segment(tcp, sender).value_or(tcp.length));
  if (!is_retransmission) {
    if (replied_last_ != reading.sender) self.facts.last_data = {};
    self.facts.last_data.octets += tcp.length;
    self.facts.last_data.at = at;
    self.facts.last_data.acknowledged_at = 0;
    self.facts.last_data.after = last_data_at_ > 0 ? at - last_data_at_ : 0;
    last_data_at_ = at;
  }
  self.facts.largest_seen = std::max(self.facts.largest_seen, length);
  note_out_of_time(header_of(tcp), reading);
  note_nagle(tcp, at, reading.sender);
  if (is_retransmission) {
    note_retransmission(tcp, at, reading);
  } else {
    if (self.under_way.size() < kMostUnderWay)
      self.under_way.push_back({tcp.sequence + static_cast<std::uint32_t>(tcp.length), length, at,
                                is_beyond_header(tcp, reading.before.at(reading.sender))});
    if (self.facts.forwarded > 0) ++self.facts.not_forwarded;
    self.facts.repeats_after_ack = 0;
    self.may_answer_again = 0;
  }
  note_attempt(tcp, length, at, reading, is_retransmission);
}

void ConversationFacts::note_retransmission(const TcpSegment& tcp, std::int64_t at,
                                            const SegmentReading& reading) {
  const SequenceVariables& before = reading.before.at(reading.sender);
  End& end = ends_.at(reading.sender);
  EndFacts& facts = end.facts;
  if (facts.syn_data > 0 && facts.data_segments == 1) {
    facts.syn_data_retransmitted = true;
    return;
  }
  ++facts.data_retransmits;
  if (facts.forwarded > 0) ++facts.not_forwarded;
  if (reading.traits.has(SegmentTrait::spurious_retransmission)) {
    ++facts.retransmits_after_ack;
    const bool is_same = facts.repeats_after_ack > 0 && end.repeated == tcp.sequence;
    if (!is_same) facts.repeats_after_ack = 0;
    if (!is_same || at - end.repeated_at >= kShortestTimeout) ++facts.repeats_after_ack;
    end.repeated = tcp.sequence;
    end.repeated_at = at;
    return;
  }
  if (end.duplicate_acks >= kFastRetransmit || end.hole) ++facts.fast_retransmits;
  ++end.retransmits_in_hole;
  if (!before.has_sent_syn || tcp.sequence != before.iss + 1) return;
  facts.first_data_retransmitted = true;
  // The first segment without SYN announces the first window.
  facts.first_data_unheard = !reading.before.at(1 - reading.sender).window;
}

void ConversationFacts::note_attempt(const TcpSegment& tcp, std::size_t length, std::int64_t at,
                                     const SegmentReading& reading, bool is_retransmission) {
  const SequenceVariables& before = reading.before.at(reading.sender);
  Attempt& attempt = ends_.at(reading.sender).facts.attempt;
  if (before.is_acknowledged && is_before(tcp.sequence, before.snd_una)) return;
  if (attempt.length == 0) {
    attempt = {.sequence = tcp.sequence, .length = length, .shortest = length};
    attempt.is_beyond_header = is_beyond_header(tcp, before);
    attempt.first_at = attempt.last_at = at;
    if (is_retransmission) attempt.retransmits = attempt.full_size_retransmits = 1;
    return;
  }
  if (!is_retransmission && length > 0 && is_before(attempt.sequence, tcp.sequence))
    attempt.shortest_later =
        attempt.shortest_later == 0 ? length : std::min(attempt.shortest_later, length);
  if (!is_retransmission || tcp.sequence != attempt.sequence) return;
  if (attempt.retransmits < attempt.waits.size())
    attempt.waits.at(attempt.retransmits) = at - attempt.last_at;
  ++attempt.retransmits;
  attempt.last_at = at;
  attempt.shortest = std::min(attempt.shortest, length);
  if (length < attempt.length) return;
  ++attempt.full_size_retransmits;
  if (ends_.at(reading.sender).facts.icmp_errors > 0) ++attempt.full_size_after_icmp;
}

// RFC 896: a small segment waits until earlier data is acknowledged. RFC 9293 section 3.8.6.3: the
// receiver delays that acknowledgment.
void ConversationFacts::note_nagle(const TcpSegment& tcp, std::int64_t at, std::size_t sender) {
  End& self = ends_.at(sender);
  End& other = ends_.at(1 - sender);
  other.small_at = other.late_ack_at = 0;
  if (self.late_ack_at > 0 && at - self.late_ack_at < kAtOnce) ++self.facts.nagled;
  self.late_ack_at = 0;
  self.small_at = tcp.length < kSmall ? at : 0;
}

void ConversationFacts::note_acknowledgment(const TcpSegment& tcp, std::int64_t at,
                                            const SegmentReading& reading,
                                            const Conversation& talk) {
  const SequenceVariables& before = reading.before.at(1 - reading.sender);
  const SequenceVariables& after = talk.numbers(1 - reading.sender);
  End& other = ends_.at(1 - reading.sender);
  if (!before.is_known || is_before(before.snd_nxt, tcp.acknowledgment)) return;
  const bool is_duplicate_ack = reading.traits.has(SegmentTrait::duplicate_ack);
  if (after.snd_una != before.snd_una || after.is_acknowledged != before.is_acknowledged) {
    std::int64_t& round_trip = ends_.at(reading.sender).facts.round_trip;
    if (!other.under_way.empty() && !is_before(tcp.acknowledgment, other.under_way.front().end))
      round_trip = std::min(round_trip, at - other.under_way.front().at);
    advance(tcp.acknowledgment, at, other);
    LastData& sent = other.facts.last_data;
    if (after.snd_una == after.snd_nxt && sent.acknowledged_at == 0) sent.acknowledged_at = at;
  } else if (is_duplicate_ack) {
    ++other.duplicate_acks;
  } else if (other.may_answer_again > 0 && acknowledges_again(tcp, reading)) {
    --other.may_answer_again;
    ++other.facts.doubly_acknowledged;
  }
  note_sack(tcp, other, is_duplicate_ack);
}

void ConversationFacts::advance(std::uint32_t acknowledgment, std::int64_t at, End& end) {
  EndFacts& facts = end.facts;
  if (end.hole && end.retransmits_in_hole == 0) ++facts.holes_filled;
  end.hole = false;
  end.duplicate_acks = 0;
  if (facts.data_after_peer_fin > 0) facts.data_after_peer_fin_passed = true;
  while (!end.under_way.empty() && !is_before(acknowledgment, end.under_way.front().end)) {
    facts.largest_passed = std::max(facts.largest_passed, end.under_way.front().length);
    end.under_way.pop_front();
  }
  if (end.small_at > 0 && at - end.small_at >= kDelayedAck) end.late_ack_at = at;
  end.small_at = 0;
  if (facts.attempt.length == 0 || !is_before(facts.attempt.sequence, acknowledgment)) return;
  end.may_answer_again = facts.attempt.retransmits;
  if (facts.attempt.retransmits > 0 &&
      (!facts.recovered || facts.recovered->retransmits < facts.attempt.retransmits))
    facts.recovered = facts.attempt;
  facts.attempt = {};
  if (end.under_way.empty()) return;
  const Sent& oldest = end.under_way.front();
  facts.attempt = {.sequence = acknowledgment, .length = oldest.length, .shortest = oldest.length};
  facts.attempt.is_beyond_header = oldest.is_beyond_header;
  facts.attempt.first_at = facts.attempt.last_at = oldest.at;
}

// RFC 2018. RFC 2883 section 4: a first block below the acknowledgment reports a duplicate segment.
void ConversationFacts::note_sack(const TcpSegment& tcp, End& end, bool is_duplicate_ack) {
  bool tells_of_later = is_duplicate_ack;
  for (std::size_t i = 0; i < tcp.options.sack_count; ++i) {
    const SackBlock& block = tcp.options.sack_blocks.at(i);
    if (is_before(tcp.acknowledgment, block.begin)) {
      if (!end.hole) end.retransmits_in_hole = 0;
      end.hole = tells_of_later = true;
    } else if (i == 0) {
      ++end.facts.spurious_retransmits;
    }
  }
  if (tells_of_later && end.facts.attempt.length > 0) end.facts.attempt.peer_spoke = true;
}

}  // namespace tcplab::capture
