#include "capture/follow/conversation_facts.hh"

#include <algorithm>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostErrors = 8;
constexpr std::size_t kMostUnderWay = 64;
constexpr std::uint64_t kFastRetransmit = 3;      // RFC 5681 section 3.2
constexpr std::size_t kSmall = 500;               // octets
constexpr std::int64_t kDelayedAck = 30'000'000;  // nanoseconds; Linux has 40 ms
constexpr std::int64_t kAtOnce = 2'000'000;

bool is_pure_ack(const TcpSegment& tcp) {
  const auto others = TcpFlags::kSyn | TcpFlags::kFin | TcpFlags::kRst;
  return tcp.has(TcpFlags::kAck) && (tcp.flags & others) == 0 && tcp.length == 0;
}

}  // namespace

void ConversationFacts::note(const DecodedFrame& frame, std::int64_t at, const Conversation& talk,
                             const SegmentReading& reading, Duplicate duplicate) {
  const TcpSegment& tcp = *frame.tcp;
  const std::size_t sender = reading.sender;
  EndFacts& told = ends_.at(sender).told;
  ends_.at(sender).recent.add(tcp.sequence);
  pauses_.note(tcp, at, talk, reading);
  if (reading.first_probes) note_first_probes(*reading.first_probes);
  if (tcp.has(TcpFlags::kRst)) return note_reset(frame, at, reading);
  ends_.at(sender).spoke_at = at;
  if (!told.hop_limit) told.hop_limit = frame.ip->hop_limit;
  if (note_altered(tcp, sender, duplicate)) return;
  note_answer(tcp, sender, talk);
  note_impossible(tcp, reading);
  if (tcp.has(TcpFlags::kSyn)) note_syn(tcp, at, reading, talk);
  last_was_flagless_ = (tcp.flags & (TcpFlags::kSyn | TcpFlags::kAck)) == 0;
  note_windows(reading);
  note_probe(reading);
  if (tcp.has(TcpFlags::kAck)) note_acknowledgment(tcp, at, reading, talk);
  note_data(tcp, at, reading, talk);
  note_closing(header_of(tcp), at, reading);
  last_sender_ = sender;
  was_over_ = talk.is_over() && talk.end(0).sent_fin && talk.end(1).sent_fin;
}

bool ConversationFacts::note_altered(const TcpSegment& tcp, std::size_t sender,
                                     Duplicate duplicate) {
  const bool is_silent = !tcp.has(TcpFlags::kSyn) && !tcp.has(TcpFlags::kFin) && tcp.length < 2;
  if (duplicate != Duplicate::altered || is_silent) return false;
  ++ends_.at(sender).told.altered;
  return true;
}

void ConversationFacts::note_forwarded(const DecodedFrame& frame, std::size_t sender) {
  EndFacts& told = ends_.at(sender).told;
  ++told.forwarded;
  told.not_forwarded = 0;
  if (frame.tcp->has(TcpFlags::kSyn)) hops_ = std::max(hops_, ++hops_of_syn_);
}

void ConversationFacts::note_copy(const DecodedFrame& frame, std::size_t sender) {
  if (frame.tcp->length > 0) ++ends_.at(sender).told.copies;
}

void ConversationFacts::note_icmp(const DecodedFrame& frame, std::size_t sender,
                                  const Conversation& talk) {
  const IcmpMessage& icmp = *frame.icmp;
  const SequenceVariables& numbers = talk.numbers(sender);
  EndFacts& told = ends_.at(sender).told;
  ++told.icmp_errors;
  if (told.icmp.size() >= kMostErrors) return;
  const std::uint32_t sequence = icmp.quoted->sequence;
  const bool has_oldest = numbers.is_acknowledged || numbers.has_sent_syn;
  // An error about a probe (SND.UNA-1), or about a segment that was acknowledged since, is honest.
  const bool was_sent = ends_.at(sender).recent.contains(sequence);
  const bool is_above = !has_oldest || !is_before(sequence, numbers.snd_una);
  const bool is_below = !numbers.is_known || !is_before(numbers.snd_nxt, sequence);
  const bool is_in_place = was_sent || (is_above && is_below);
  told.icmp.push_back({.kind = kind_of(icmp),
                       .mtu = icmp.mtu,
                       .from = frame.ip->source,
                       .is_from_peer = frame.ip->source == icmp.quoted->destination.address,
                       .is_in_place = is_in_place,
                       .state = talk.end(sender).state});
}

void ConversationFacts::note_syn(const TcpSegment& tcp, std::int64_t at,
                                 const SegmentReading& reading, const Conversation& talk) {
  const std::size_t sender = reading.sender;
  const SequenceVariables& before = reading.before.at(sender);
  EndFacts& told = ends_.at(sender).told;
  hops_of_syn_ = 1;
  const bool answers = tcp.has(TcpFlags::kAck);
  if (talk.was_established() && before.is_known && (!answers || told.syn_acks == 0)) {
    ++told.stray_syns;
    to_be_challenged_ = 1 - sender;
    return;
  }
  if (answers) {
    if (told.syn_acks > 0 && before.has_sent_syn && before.iss != tcp.sequence)
      ++told.other_syn_acks;
    ++told.syn_acks;
    if (before.is_acknowledged) ++told.syn_acks_after_answer;
    return;
  }
  if (before.has_sent_syn && before.iss != tcp.sequence) ++told.other_syns;
  const bool asks_for_ecn = tcp.has(TcpFlags::kEcnEcho) && tcp.has(TcpFlags::kWindowReduced);
  if (told.syns == 0) told.syn_asked_for_ecn = asks_for_ecn;
  if (told.syns > 0 && told.syn_asked_for_ecn && !asks_for_ecn) told.syn_gave_up_ecn = true;
  told.syn_data = std::max(told.syn_data, tcp.length);
  if (told.syns++ == 0) told.first_syn_at = at;
  told.last_syn_at = at;
}

void ConversationFacts::note_windows(const SegmentReading& reading) {
  EndFacts& told = ends_.at(reading.sender).told;
  if (reading.closes_window) {
    ++told.windows_closed;
    told.window_is_closed = true;
  }
  if (reading.opens_window && told.window_is_closed) {
    told.window_is_closed = false;
    told.window_opened = true;
  }
  last_opened_window_ = reading.opens_window && told.window_opened;
}

void ConversationFacts::note_first_probes(const FirstProbes& probes) {
  EndFacts& told = ends_.at(probes.end).told;
  if (probes.kind == SegmentTrait::window_probe) {
    told.window_probes += probes.count;
  } else {
    told.keepalives += probes.count;
    told.keepalives_waiting += probes.count;
  }
}

void ConversationFacts::note_probe(const SegmentReading& reading) {
  EndFacts& self = ends_.at(reading.sender).told;
  EndFacts& other = ends_.at(1 - reading.sender).told;
  if (other.keepalives_waiting > 0) ++other.keepalives_answered;
  other.keepalives_waiting = 0;
  if (reading.traits.has(SegmentTrait::window_probe)) ++self.window_probes;
  if (!reading.traits.has(SegmentTrait::keepalive_probe)) return;
  if (other.window_opened) {
    ++self.probes_after_opening;
  } else {
    ++self.keepalives;
    ++self.keepalives_waiting;
  }
}

void ConversationFacts::note_closing(const SegmentHeader& segment, std::int64_t at,
                                     const SegmentReading& reading) {
  last_had_fin_ = segment.fin;
  if (!last_had_fin_) return;
  const SequenceVariables& own = reading.before.at(reading.sender);
  const SequenceVariables& others = reading.before.at(1 - reading.sender);
  EndFacts& told = ends_.at(reading.sender).told;
  if (own.fin_end) {
    ++told.fin_retransmits;
    if (reading.traits.has(SegmentTrait::spurious_retransmission)) ++told.fin_retransmits_after_ack;
    return;
  }
  if (others.fin_end && is_before(segment.acknowledgment, *others.fin_end)) closed_at_once_ = true;
  if (!others.fin_end) fin_at_ = at;
}

void ConversationFacts::note_reset(const DecodedFrame& frame, std::int64_t at,
                                   const SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  EndFacts& told = ends_.at(sender).told;
  if (!told.reset_hop_limit) told.reset_hop_limit = frame.ip->hop_limit;
  if (last_was_flagless_ && last_sender_ != sender) ++ends_.at(1 - sender).told.flagless_refused;
  if (reading.reset == ResetKind::out_of_place) return note_misplaced_reset(*frame.tcp, reading);
  if (was_reset_) {
    ++told.more_resets;
    return;
  }
  was_reset_ = true;
  reset_by_ = sender;
  reset_sequence_ = frame.tcp->sequence;
  reset_at_ = at;
  if (ends_.at(sender).spoke_at > 0) silence_before_reset_ = at - ends_.at(sender).spoke_at;
  reset_after_fin_ = last_had_fin_ && last_sender_ != sender;
  reset_after_opening_ = last_opened_window_ && last_sender_ != sender;
  reset_after_over_ = was_over_;
}

void ConversationFacts::note_misplaced_reset(const TcpSegment& tcp, const SegmentReading& reading) {
  EndFacts& told = ends_.at(reading.sender).told;
  ++told.resets_out_of_place;
  to_be_challenged_ = 1 - reading.sender;
  const SequenceVariables& own = reading.before.at(reading.sender);
  const std::uint32_t expected =
      reading.before.at(1 - reading.sender).acknowledgment.value_or(own.snd_nxt);
  told.reset_offset = static_cast<std::int32_t>(tcp.sequence - expected);
}

// RFC 5961 sections 3.2, 4.2: a RST or SYN out of place is answered with a challenge ACK.
void ConversationFacts::note_answer(const TcpSegment& tcp, std::size_t sender,
                                    const Conversation& talk) {
  EndFacts& told = ends_.at(sender).told;
  if (is_pure_ack(tcp) && talk.end(1 - sender).sent_syn && !talk.end(sender).sent_syn)
    told.answered_syn_by_ack = true;
  if (to_be_challenged_ == sender && is_pure_ack(tcp)) ++told.challenges;
  to_be_challenged_.reset();
}

void ConversationFacts::note_impossible(const TcpSegment& tcp, const SegmentReading& reading) {
  const SequenceVariables& own = reading.before.at(reading.sender);
  const SequenceVariables& others = reading.before.at(1 - reading.sender);
  EndFacts& told = ends_.at(reading.sender).told;
  if ((tcp.flags & (TcpFlags::kSyn | TcpFlags::kAck)) == 0) ++told.flagless;
  if (tcp.has(TcpFlags::kUrgent) && tcp.length > 0) ++told.urgent;
  if (!is_pure_ack(tcp) || !own.is_known || !others.is_known) return;
  if (is_before(others.snd_nxt, tcp.acknowledgment)) {
    ++told.acks_unsent;
    to_be_challenged_ = 1 - reading.sender;
  }
  const bool is_late = others.is_acknowledged && is_before(tcp.acknowledgment, others.snd_una);
  if (!reading.traits.is_probe() && !is_late && own.is_acknowledged &&
      is_before(tcp.sequence, own.snd_una))
    ++told.stale_acks;
}

bool ConversationFacts::RecentNumbers::contains(std::uint32_t sequence) const {
  return std::ranges::find(numbers_, std::optional(sequence)) != numbers_.end();
}

void ConversationFacts::note_data(const TcpSegment& tcp, std::int64_t at,
                                  const SegmentReading& reading, const Conversation& talk) {
  End& self = ends_.at(reading.sender);
  if (tcp.length == 0 || tcp.has(TcpFlags::kSyn) || reading.traits.is_probe()) return;
  ++self.told.data_segments;
  const bool is_retransmission = reading.traits.has(SegmentTrait::retransmission) ||
                                 reading.traits.has(SegmentTrait::partial_retransmission);
  const ConversationEnd& sender = talk.end(reading.sender);
  const std::size_t length =
      std::min(tcp.length, largest_segment(tcp, sender).value_or(tcp.length));
  if (!is_retransmission) {
    if (replied_last_ != reading.sender) self.told.last_data = {};
    self.told.last_data.octets += tcp.length;
    self.told.last_data.at = at;
    self.told.last_data.acknowledged_at = 0;
  }
  note_out_of_time(header_of(tcp), reading);
  note_nagle(tcp, at, reading.sender);
  if (is_retransmission) {
    note_retransmission(tcp, reading);
  } else {
    if (self.under_way.size() < kMostUnderWay)
      self.under_way.push_back({tcp.sequence + static_cast<std::uint32_t>(tcp.length), length, at});
    if (self.told.forwarded > 0) ++self.told.not_forwarded;
  }
  note_attempt(tcp, length, at, reading, is_retransmission);
}

void ConversationFacts::note_retransmission(const TcpSegment& tcp, const SegmentReading& reading) {
  const SequenceVariables& before = reading.before.at(reading.sender);
  End& end = ends_.at(reading.sender);
  EndFacts& told = end.told;
  if (told.syn_data > 0 && told.data_segments == 1) {
    told.syn_data_retransmitted = true;
    return;
  }
  ++told.data_retransmits;
  if (told.forwarded > 0) ++told.not_forwarded;
  if (reading.traits.has(SegmentTrait::spurious_retransmission)) {
    ++told.retransmits_after_ack;
    return;
  }
  if (end.duplicate_acks >= kFastRetransmit || end.hole) ++told.fast_retransmits;
  ++end.retransmits_in_hole;
  if (!before.has_sent_syn || tcp.sequence != before.iss + 1) return;
  told.first_data_retransmitted = true;
  // The first segment without SYN announces the first window.
  told.first_data_unheard = !reading.before.at(1 - reading.sender).window;
}

void ConversationFacts::note_attempt(const TcpSegment& tcp, std::size_t length, std::int64_t at,
                                     const SegmentReading& reading, bool is_retransmission) {
  const SequenceVariables& before = reading.before.at(reading.sender);
  Attempt& attempt = ends_.at(reading.sender).told.attempt;
  if (before.is_acknowledged && is_before(tcp.sequence, before.snd_una)) return;
  if (attempt.length == 0) {
    attempt = {.sequence = tcp.sequence, .length = length, .shortest = length};
    attempt.first_at = attempt.last_at = at;
    if (is_retransmission) attempt.retransmits = attempt.full_size_retransmits = 1;
    return;
  }
  if (!is_retransmission || tcp.sequence != attempt.sequence) return;
  if (attempt.retransmits < attempt.waits.size())
    attempt.waits.at(attempt.retransmits) = at - attempt.last_at;
  ++attempt.retransmits;
  attempt.last_at = at;
  attempt.shortest = std::min(attempt.shortest, length);
  if (length >= attempt.length) ++attempt.full_size_retransmits;
}

void ConversationFacts::note_out_of_time(const SegmentHeader& segment,
                                         const SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  const auto own_fin = reading.before.at(sender).fin_end;
  const auto others_fin = reading.before.at(1 - sender).fin_end;
  EndFacts& told = ends_.at(sender).told;
  if (others_fin && !is_before(segment.acknowledgment, *others_fin)) ++told.data_after_peer_fin;
  if (own_fin && !is_before(segment.sequence + segment.length, *own_fin)) ++told.data_over_fin;
  if (was_reset_ && reset_by_ == sender && !is_before(segment.sequence, reset_sequence_))
    ++told.spoke_after_reset;
  if (was_over_) ++told.data_after_over;
  if (was_reset_ && reset_by_ != sender) data_after_reset_ = true;
  if (!was_reset_) replied_last_ = sender;
}

// RFC 896: a small segment waits until earlier data is acknowledged. RFC 9293 section 3.8.6.3: the
// receiver delays that acknowledgment.
void ConversationFacts::note_nagle(const TcpSegment& tcp, std::int64_t at, std::size_t sender) {
  End& self = ends_.at(sender);
  End& other = ends_.at(1 - sender);
  other.small_at = other.late_ack_at = 0;
  if (self.late_ack_at > 0 && at - self.late_ack_at < kAtOnce) ++self.told.nagled;
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
    advance(tcp.acknowledgment, at, other);
    LastData& sent = other.told.last_data;
    if (after.snd_una == after.snd_nxt && sent.acknowledged_at == 0) sent.acknowledged_at = at;
  } else if (is_duplicate_ack) {
    ++other.duplicate_acks;
  }
  note_sack(tcp, other, is_duplicate_ack);
}

void ConversationFacts::advance(std::uint32_t acknowledgment, std::int64_t at, End& end) {
  EndFacts& told = end.told;
  if (end.hole && end.retransmits_in_hole == 0) ++told.holes_filled;
  end.hole = false;
  end.duplicate_acks = 0;
  if (told.data_after_peer_fin > 0) told.data_after_peer_fin_passed = true;
  while (!end.under_way.empty() && !is_before(acknowledgment, end.under_way.front().end)) {
    told.largest_passed = std::max(told.largest_passed, end.under_way.front().length);
    end.under_way.pop_front();
  }
  if (end.small_at > 0 && at - end.small_at >= kDelayedAck) end.late_ack_at = at;
  end.small_at = 0;
  if (told.attempt.length == 0 || !is_before(told.attempt.sequence, acknowledgment)) return;
  if (told.attempt.retransmits > 0 &&
      (!told.recovered || told.recovered->retransmits < told.attempt.retransmits))
    told.recovered = told.attempt;
  told.attempt = {};
  if (end.under_way.empty()) return;
  const Sent& oldest = end.under_way.front();
  told.attempt = {.sequence = acknowledgment, .length = oldest.length, .shortest = oldest.length};
  told.attempt.first_at = told.attempt.last_at = oldest.at;
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
      ++end.told.spurious_retransmits;
    }
  }
  if (tells_of_later && end.told.attempt.length > 0) end.told.attempt.peer_spoke = true;
}

}  // namespace tcplab::capture
