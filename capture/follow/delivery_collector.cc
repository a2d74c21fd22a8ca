#include "capture/follow/delivery_collector.hh"

#include <algorithm>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

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
bool acknowledges_again(const SeenSegment& seen) {
  const TcpSegment& tcp = seen.tcp();
  const bool is_plain = (tcp.flags & (TcpFlags::kSyn | TcpFlags::kFin)) == 0 && tcp.length == 0;
  return is_plain && !seen.reading.traits.is_probe() && tcp.options.sack_count == 0 &&
         seen.own().acknowledgment == tcp.acknowledgment && seen.own().window == tcp.window;
}

}  // namespace

void DeliveryCollector::note(const SeenSegment& seen, WhichEnd replied_last, FactsOfEnds& ends) {
  if (seen.reading.traits.is_probe()) ends_.at(seen.sender()).may_answer_again = 0;
  if (seen.tcp().has(TcpFlags::kAck)) note_acknowledgment(seen, ends);
  if (seen.is_data()) note_data(seen, replied_last, ends.at(seen.sender()));
}

void DeliveryCollector::note_data(const SeenSegment& seen, WhichEnd replied_last, EndFacts& facts) {
  const TcpSegment& tcp = seen.tcp();
  const auto length = static_cast<std::uint32_t>(std::min(
      tcp.length, largest_segment(tcp, seen.talk.end(seen.sender())).value_or(tcp.length)));
  ++facts.data_segments;
  facts.largest_seen = std::max(facts.largest_seen, length);
  note_nagle(seen, facts);
  if (seen.is_retransmission()) {
    note_retransmission(seen, facts);
  } else {
    if (replied_last != seen.sender()) facts.last_data = {};
    note_new_data(seen, length, facts);
  }
  note_attempt(seen, length, facts);
}

void DeliveryCollector::note_new_data(const SeenSegment& seen, std::uint32_t length,
                                      EndFacts& facts) {
  const TcpSegment& tcp = seen.tcp();
  End& self = ends_.at(seen.sender());
  facts.last_data.octets += tcp.length;
  facts.last_data.at = seen.at;
  facts.last_data.acknowledged_at = 0;
  facts.last_data.after = last_data_at_ > 0 ? seen.at - last_data_at_ : 0;
  last_data_at_ = seen.at;
  if (self.under_way.size() < kMostUnderWay)
    self.under_way.push_back({tcp.sequence + static_cast<std::uint32_t>(tcp.length), length,
                              seen.at, is_beyond_header(tcp, seen.own())});
  if (facts.rare->forwarded > 0) ++facts.rare.edit().not_forwarded;
  facts.repeats_after_ack = 0;
  self.may_answer_again = 0;
}

void DeliveryCollector::note_retransmission(const SeenSegment& seen, EndFacts& facts) {
  const TcpSegment& tcp = seen.tcp();
  End& self = ends_.at(seen.sender());
  if (facts.rare->syn_data > 0 && facts.data_segments == 1) {
    facts.rare.edit().syn_data_retransmitted = true;
    return;
  }
  ++facts.data_retransmits;
  if (facts.rare->forwarded > 0) ++facts.rare.edit().not_forwarded;
  if (seen.reading.traits.has(SegmentTrait::spurious_retransmission)) {
    ++facts.retransmits_after_ack;
    const bool is_same = facts.repeats_after_ack > 0 && self.repeated == tcp.sequence;
    if (!is_same) facts.repeats_after_ack = 0;
    if (!is_same || seen.at - self.repeated_at >= kShortestTimeout) ++facts.repeats_after_ack;
    self.repeated = tcp.sequence;
    self.repeated_at = seen.at;
    return;
  }
  if (self.duplicate_acks >= kFastRetransmit || self.hole) ++facts.fast_retransmits;
  ++self.retransmits_in_hole;
  if (!seen.own().has_sent_syn || tcp.sequence != seen.own().iss + 1) return;
  facts.first_data_retransmitted = true;
  // The first segment without SYN announces the first window.
  facts.first_data_unheard = !seen.others().window;
}

void DeliveryCollector::note_attempt(const SeenSegment& seen, std::uint32_t length,
                                     EndFacts& facts) {
  const TcpSegment& tcp = seen.tcp();
  const bool is_retransmission = seen.is_retransmission();
  Attempt& attempt = facts.attempt;
  if (seen.own().is_acknowledged && is_before(tcp.sequence, seen.own().snd_una)) return;
  if (attempt.length == 0) {
    attempt = {.sequence = tcp.sequence, .length = length, .shortest = length};
    attempt.is_beyond_header = is_beyond_header(tcp, seen.own());
    attempt.first_at = attempt.last_at = seen.at;
    if (is_retransmission) attempt.retransmits = attempt.full_size_retransmits = 1;
    return;
  }
  if (!is_retransmission && length > 0 && is_before(attempt.sequence, tcp.sequence))
    attempt.shortest_later =
        attempt.shortest_later == 0 ? length : std::min(attempt.shortest_later, length);
  if (!is_retransmission || tcp.sequence != attempt.sequence) return;
  if (attempt.retransmits < attempt.waits->size())
    attempt.waits.edit().at(attempt.retransmits) = seen.at - attempt.last_at;
  ++attempt.retransmits;
  attempt.last_at = seen.at;
  attempt.shortest = std::min(attempt.shortest, length);
  if (length < attempt.length) return;
  ++attempt.full_size_retransmits;
  if (facts.rare->icmp_errors > 0) ++attempt.full_size_after_icmp;
}

// RFC 896: a small segment waits until earlier data is acknowledged. RFC 9293 section 3.8.6.3: the
// receiver delays that acknowledgment.
void DeliveryCollector::note_nagle(const SeenSegment& seen, EndFacts& facts) {
  End& self = ends_.at(seen.sender());
  End& other = ends_.at(seen.receiver());
  other.small_at = other.late_ack_at = 0;
  if (self.late_ack_at > 0 && seen.at - self.late_ack_at < kAtOnce) ++facts.rare.edit().nagled;
  self.late_ack_at = 0;
  self.small_at = seen.tcp().length < kSmall ? seen.at : 0;
}

void DeliveryCollector::note_acknowledgment(const SeenSegment& seen, FactsOfEnds& ends) {
  const std::uint32_t acknowledgment = seen.tcp().acknowledgment;
  const SequenceVariables& before = seen.others();
  const SequenceVariables& after = seen.talk.numbers(seen.receiver());
  End& other = ends_.at(seen.receiver());
  EndFacts& others = ends.at(seen.receiver());
  if (!before.is_known || is_before(before.snd_nxt, acknowledgment)) return;
  if (after.snd_una != before.snd_una || after.is_acknowledged != before.is_acknowledged) {
    std::int64_t& round_trip = ends.at(seen.sender()).round_trip;
    if (!other.under_way.empty() && !is_before(acknowledgment, other.under_way.front().end))
      round_trip = std::min(round_trip, seen.at - other.under_way.front().at);
    advance(acknowledgment, seen.at, other, others);
    LastData& sent = others.last_data;
    if (after.snd_una == after.snd_nxt && sent.octets > 0 && sent.acknowledged_at == 0)
      sent.acknowledged_at = seen.at;
  } else if (seen.reading.traits.has(SegmentTrait::duplicate_ack)) {
    ++other.duplicate_acks;
  } else if (other.may_answer_again > 0 && acknowledges_again(seen)) {
    --other.may_answer_again;
    ++others.rare.edit().doubly_acknowledged;
  }
  note_sack(seen, other, others);
}

void DeliveryCollector::advance(std::uint32_t acknowledgment, std::int64_t at, End& end,
                                EndFacts& facts) {
  if (end.hole && end.retransmits_in_hole == 0) ++facts.rare.edit().holes_filled;
  end.hole = false;
  end.duplicate_acks = 0;
  if (facts.rare->data_after_peer_fin > 0) facts.rare.edit().data_after_peer_fin_passed = true;
  auto passed = end.under_way.begin();
  for (; passed != end.under_way.end() && !is_before(acknowledgment, passed->end); ++passed)
    facts.largest_passed = std::max(facts.largest_passed, passed->length);
  end.under_way.erase(end.under_way.begin(), passed);
  if (end.small_at > 0 && at - end.small_at >= kDelayedAck) end.late_ack_at = at;
  end.small_at = 0;
  if (facts.attempt.length > 0 && is_before(facts.attempt.sequence, acknowledgment))
    begin_next_attempt(acknowledgment, end, facts);
}

void DeliveryCollector::begin_next_attempt(std::uint32_t acknowledgment, End& end,
                                           EndFacts& facts) {
  Attempt& attempt = facts.attempt;
  end.may_answer_again = attempt.retransmits;
  if (attempt.retransmits > 0 && facts.recovered->retransmits < attempt.retransmits)
    facts.recovered.edit() = attempt;
  attempt = {};
  if (end.under_way.empty()) return;
  const Sent& oldest = end.under_way.front();
  attempt = {.sequence = acknowledgment, .length = oldest.length, .shortest = oldest.length};
  attempt.is_beyond_header = oldest.is_beyond_header;
  attempt.first_at = attempt.last_at = oldest.at;
}

// RFC 2018. RFC 2883 section 4: a first block below the acknowledgment reports a duplicate segment.
void DeliveryCollector::note_sack(const SeenSegment& seen, End& end, EndFacts& facts) {
  const TcpSegment& tcp = seen.tcp();
  bool tells_of_later = seen.reading.traits.has(SegmentTrait::duplicate_ack);
  for (std::size_t i = 0; i < tcp.options.sack_count; ++i) {
    const SackBlock& block = tcp.options.sack_blocks.at(i);
    if (is_before(tcp.acknowledgment, block.begin)) {
      if (!end.hole) end.retransmits_in_hole = 0;
      end.hole = tells_of_later = true;
    } else if (i == 0) {
      ++facts.spurious_retransmits;
    }
  }
  if (tells_of_later && facts.attempt.length > 0) facts.attempt.peer_spoke = true;
}

}  // namespace tcplab::capture
