// What became of data: sent again, asked for, needless, through in the end.
#include <algorithm>

#include "capture/follow/connection_numbers.hh"
#include "capture/follow/conversation_facts.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostUnderWay = 64;
constexpr std::uint64_t kFastRetransmit = 3;      // RFC 5681 section 3.2
constexpr std::size_t kSmall = 500;               // octets
constexpr std::int64_t kDelayedAck = 30'000'000;  // nanoseconds; Linux has 40 ms
constexpr std::int64_t kAtOnce = 2'000'000;

bool is_probe(SegmentKind kind) {
  return kind == SegmentKind::keepalive_probe || kind == SegmentKind::zero_window_probe;
}

}  // namespace

void ConversationFacts::note_data(const TcpSegment& tcp, std::int64_t at, std::size_t sender,
                                  const SegmentReading& reading) {
  End& self = ends_.at(sender);
  if (tcp.length == 0 || tcp.has(TcpFlags::kSyn) || is_probe(reading.kind)) return;
  ++self.told.data_segments;
  const bool is_again = reading.kind == SegmentKind::retransmission;
  note_out_of_time(tcp, sender);
  note_nagle(tcp, at, sender);
  if (is_again) {
    note_again(tcp, self);
  } else {
    if (self.under_way.size() < kMostUnderWay)
      self.under_way.push_back(
          {tcp.sequence + static_cast<std::uint32_t>(tcp.length), tcp.length, at});
    if (self.told.farther > 0) ++self.told.stayed;
  }
  note_attempt(tcp, at, self, is_again);
}

void ConversationFacts::note_again(const TcpSegment& tcp, End& end) {
  EndFacts& told = end.told;
  const std::uint32_t behind = tcp.sequence + static_cast<std::uint32_t>(tcp.length);
  if (told.syn_data > 0 && told.data_segments == 1) {
    told.syn_data_again = true;
    return;
  }
  ++told.data_again;
  if (told.farther > 0) ++told.stayed;
  if (end.has_ack && !is_before(end.acked, behind)) {
    ++told.again_after_ack;
    return;
  }
  if (end.repeats >= kFastRetransmit || end.hole) ++told.asked_for;
  ++end.again_in_hole;
  if (end.first && tcp.sequence == *end.first + 1) told.first_data_again = true;
}

void ConversationFacts::note_attempt(const TcpSegment& tcp, std::int64_t at, End& end,
                                     bool is_again) {
  Attempt& attempt = end.told.attempt;
  if (end.has_ack && is_before(tcp.sequence, end.acked)) return;
  if (attempt.length == 0) {
    attempt = {.sequence = tcp.sequence, .length = tcp.length, .shortest = tcp.length};
    attempt.first_at = attempt.last_at = at;
    if (is_again) attempt.again = attempt.again_at_full = 1;
    return;
  }
  if (!is_again || tcp.sequence != attempt.sequence) return;
  if (attempt.again < attempt.waits.size()) attempt.waits.at(attempt.again) = at - attempt.last_at;
  ++attempt.again;
  attempt.last_at = at;
  attempt.shortest = std::min(attempt.shortest, tcp.length);
  if (tcp.length >= attempt.length) ++attempt.again_at_full;
}

void ConversationFacts::note_out_of_time(const TcpSegment& tcp, std::size_t sender) {
  End& self = ends_.at(sender);
  const End& other = ends_.at(1 - sender);
  const std::uint32_t behind = tcp.sequence + static_cast<std::uint32_t>(tcp.length);
  if (other.fin && !is_before(tcp.acknowledgment, *other.fin)) ++self.told.data_after_peer_fin;
  if (self.fin && !is_before(behind, *self.fin)) ++self.told.data_over_fin;
  if (was_reset_ && reset_by_ == sender && !is_before(tcp.sequence, reset_sequence_))
    ++self.told.spoke_after_reset;
  if (was_over_) ++self.told.data_after_over;
  if (was_reset_ && reset_by_ != sender) data_after_reset_ = true;
  if (!was_reset_) replied_last_ = sender;
}

// RFC 896: a small segment waits until what is under way is acknowledged; RFC 9293 section 3.8.6.3:
// that acknowledgment is delayed.
void ConversationFacts::note_nagle(const TcpSegment& tcp, std::int64_t at, std::size_t sender) {
  End& self = ends_.at(sender);
  End& other = ends_.at(1 - sender);
  other.small_at = other.late_ack_at = 0;
  if (self.late_ack_at > 0 && at - self.late_ack_at < kAtOnce) ++self.told.nagled;
  self.late_ack_at = 0;
  self.small_at = tcp.length < kSmall ? at : 0;
}

void ConversationFacts::note_acknowledgment(const TcpSegment& tcp, std::int64_t at,
                                            std::size_t sender, const SegmentReading& reading) {
  End& other = ends_.at(1 - sender);
  if (!other.known || is_before(other.next, tcp.acknowledgment)) return;
  const bool repeats = reading.kind == SegmentKind::duplicate_ack;
  if (!other.has_ack || is_before(other.acked, tcp.acknowledgment)) {
    advance(tcp.acknowledgment, at, other);
  } else if (repeats) {
    ++other.repeats;
  }
  note_sack(tcp, other, repeats);
}

void ConversationFacts::advance(std::uint32_t acknowledgment, std::int64_t at, End& end) {
  EndFacts& told = end.told;
  if (end.hole && end.again_in_hole == 0) ++told.holes_filled;
  end.hole = false;
  end.repeats = 0;
  end.acked = acknowledgment;
  end.has_ack = true;
  if (told.data_after_peer_fin > 0) told.data_after_peer_fin_passed = true;
  while (!end.under_way.empty() && !is_before(acknowledgment, end.under_way.front().end)) {
    told.largest_passed = std::max(told.largest_passed, end.under_way.front().length);
    end.under_way.pop_front();
  }
  if (end.small_at > 0 && at - end.small_at >= kDelayedAck) end.late_ack_at = at;
  end.small_at = 0;
  if (told.attempt.length == 0 || !is_before(told.attempt.sequence, acknowledgment)) return;
  if (told.attempt.again > 0 && (!told.healed || told.healed->again < told.attempt.again))
    told.healed = told.attempt;
  told.attempt = {};
  if (end.under_way.empty()) return;
  const Sent& oldest = end.under_way.front();
  told.attempt = {.sequence = acknowledgment, .length = oldest.length, .shortest = oldest.length};
  told.attempt.first_at = told.attempt.last_at = oldest.at;
}

// RFC 2018; RFC 2883 section 4: a first block that is acknowledged already tells of a duplicate.
void ConversationFacts::note_sack(const TcpSegment& tcp, End& end, bool repeats) {
  bool tells_of_later = repeats;
  for (std::size_t i = 0; i < tcp.options.sack_count; ++i) {
    const SackBlock& block = tcp.options.sack_blocks.at(i);
    if (is_before(tcp.acknowledgment, block.begin)) {
      if (!end.hole) end.again_in_hole = 0;
      end.hole = tells_of_later = true;
    } else if (i == 0) {
      ++end.told.needless;
    }
  }
  if (tells_of_later && end.told.attempt.length > 0) end.told.attempt.peer_spoke = true;
}

}  // namespace tcplab::capture
