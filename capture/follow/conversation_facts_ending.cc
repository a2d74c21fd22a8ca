// What ends a connection, and what none of its ends would send.
#include "capture/follow/conversation_facts.hh"
#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

constexpr std::int16_t kReordered = 64;  // packets of one sender between two that changed places

/// True if the timestamp or identification shows that the packet was sent before the sender's
/// newest.
bool is_older(const DecodedFrame& frame, const SequenceVariables& own, std::uint32_t newest) {
  const auto& stamp = frame.tcp->options.timestamps;
  if (stamp && own.ts_own && is_before(stamp->value, *own.ts_own)) return true;
  const auto behind = static_cast<std::int16_t>(newest - frame.ip->identification);
  return behind > 0 && behind <= kReordered;
}

bool is_pure_ack(const TcpSegment& tcp) {
  const auto others = TcpFlags::kSyn | TcpFlags::kFin | TcpFlags::kRst;
  return tcp.has(TcpFlags::kAck) && (tcp.flags & others) == 0 && tcp.length == 0;
}

}  // namespace

void ConversationFacts::note_closing(const SegmentHeader& segment, std::int64_t at,
                                     const SegmentReading& reading) {
  if (!segment.fin) return;
  const SequenceVariables& own = reading.before.at(reading.sender);
  const SequenceVariables& others = reading.before.at(1 - reading.sender);
  EndFacts& facts = ends_.at(reading.sender).facts;
  if (own.fin_end) {
    ++facts.fin_retransmits;
    if (reading.traits.has(SegmentTrait::spurious_retransmission))
      ++facts.fin_retransmits_after_ack;
    return;
  }
  if (others.fin_end && segment.ack && is_before(segment.acknowledgment, *others.fin_end))
    closed_at_once_ = true;
  facts.fin_before_reply = replied_last_ == reading.sender && segment.length == 0;
  if (!others.fin_end) fin_at_ = at;
}

void ConversationFacts::note_out_of_time(const SegmentHeader& segment,
                                         const SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  const auto own_fin = reading.before.at(sender).fin_end;
  const auto others_fin = reading.before.at(1 - sender).fin_end;
  EndFacts& facts = ends_.at(sender).facts;
  const bool knows_fin = others_fin && !is_before(segment.acknowledgment, *others_fin);
  if (knows_fin && !was_reset_) ++facts.data_after_peer_fin;
  if (own_fin && !is_before(segment.sequence + segment.length, *own_fin)) ++facts.data_over_fin;
  if (was_reset_ && reset_by_ == sender && !is_before(segment.sequence, reset_sequence_))
    ++facts.spoke_after_reset;
  if (was_over_) ++facts.data_after_over;
  if (was_reset_ && reset_by_ != sender) data_after_reset_ = true;
  if (!was_reset_) replied_last_ = sender;
}

void ConversationFacts::note_reset(const DecodedFrame& frame, std::int64_t at,
                                   const SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  EndFacts& facts = ends_.at(sender).facts;
  if (!facts.reset_hop_limit) facts.reset_hop_limit = frame.ip->hop_limit;
  if (last_was_flagless_ && last_sender_ != sender) ++ends_.at(1 - sender).facts.flagless_refused;
  EndFacts& others = ends_.at(1 - sender).facts;
  // RFC 9293 section 3.10.7.1: <SEQ=0><ACK=SEG.SEQ+SEG.LEN><CTL=RST,ACK>
  const bool refuses_syn = others.stray_syns_waiting > 0 && frame.tcp->sequence == 0;
  if (refuses_syn) ++others.stray_syns_refused;
  others.stray_syns_waiting = 0;
  if (refuses_syn) return;
  if (reading.reset == ResetKind::out_of_place) return note_misplaced_reset(*frame.tcp, reading);
  if (was_reset_) {
    ++facts.more_resets;
    return;
  }
  const bool acknowledges_all = frame.tcp->has(TcpFlags::kAck) &&
                                frame.tcp->acknowledgment == reading.before.at(1 - sender).snd_nxt;
  if (acknowledges_all && replied_last_ == 1 - sender)
    facts.reset_after_data = at - others.last_data.at;
  was_reset_ = true;
  reset_by_ = sender;
  reset_sequence_ = frame.tcp->sequence;
  reset_at_ = at;
  reset_trigger_ = trigger_finder_.find(*frame.tcp, at, reading);
  reset_after_opening_ = last_opened_window_ && last_sender_ != sender;
  reset_after_over_ = was_over_;
}

void ConversationFacts::note_misplaced_reset(const TcpSegment& tcp, const SegmentReading& reading) {
  EndFacts& facts = ends_.at(reading.sender).facts;
  ++facts.resets_out_of_place;
  to_be_challenged_ = 1 - reading.sender;
  const SequenceVariables& own = reading.before.at(reading.sender);
  const std::uint32_t expected =
      reading.before.at(1 - reading.sender).acknowledgment.value_or(own.snd_nxt);
  facts.reset_offset = static_cast<std::int32_t>(tcp.sequence - expected);
}

// RFC 5961 sections 3.2, 4.2: a RST or SYN out of place is answered with a challenge ACK.
void ConversationFacts::note_answer(const TcpSegment& tcp, std::size_t sender,
                                    const Conversation& talk) {
  EndFacts& facts = ends_.at(sender).facts;
  const SequenceVariables& asked = talk.numbers(1 - sender);
  const bool is_old =
      !is_before(asked.iss, tcp.acknowledgment) || is_before(asked.snd_nxt, tcp.acknowledgment);
  if (is_pure_ack(tcp) && talk.states().end(1 - sender).sent_syn &&
      !talk.states().end(sender).sent_syn && is_old)
    facts.answered_syn_by_ack = true;
  if (to_be_challenged_ == sender && is_pure_ack(tcp)) ++facts.challenges;
  to_be_challenged_.reset();
}

void ConversationFacts::note_impossible(const DecodedFrame& frame, const SegmentReading& reading) {
  const TcpSegment& tcp = *frame.tcp;
  const SequenceVariables& own = reading.before.at(reading.sender);
  const SequenceVariables& others = reading.before.at(1 - reading.sender);
  EndFacts& facts = ends_.at(reading.sender).facts;
  if ((tcp.flags & (TcpFlags::kSyn | TcpFlags::kAck)) == 0) ++facts.flagless;
  if (tcp.has(TcpFlags::kUrgent) && tcp.length > 0) ++facts.urgent;
  if (!is_pure_ack(tcp) || !own.is_known || !others.is_known) return;
  if (!is_before(others.snd_nxt, tcp.acknowledgment)) return;
  ++facts.acks_unsent;
  to_be_challenged_ = 1 - reading.sender;
}

/// Finds what newer segments have overtaken: ACKs and data with an older timestamp or
/// identification. The sender of such an ACK may also go on after the data: it knows of it.
void ConversationFacts::note_order(const DecodedFrame& frame, std::int64_t at,
                                   const SegmentReading& reading, bool has_gap) {
  const TcpSegment& tcp = *frame.tcp;
  const SequenceVariables& own = reading.before.at(reading.sender);
  const SequenceVariables& others = reading.before.at(1 - reading.sender);
  End& self = ends_.at(reading.sender);
  const bool is_below = own.is_acknowledged && is_before(tcp.sequence, own.snd_una);
  if (!own.is_known || !others.is_known || reading.traits.is_probe()) return;
  const bool has_older_mark = is_older(frame, own, self.newest_identification);
  const bool is_unasked = at - self.gap_at < self.facts.round_trip && self.duplicate_acks < 2;
  if (is_before(own.snd_nxt, tcp.sequence) && !self.has_gap) self.gap_at = at;
  self.has_gap = has_gap;
  if (reading.traits.has(SegmentTrait::out_of_order) && (has_older_mark || is_unasked))
    ++self.facts.overtaken;
  if (!is_below) {
    if (!self.spoke_below) self.facts.stale_acks = 0;
  } else if (!is_pure_ack(tcp)) {
    self.spoke_below = self.facts.stale_acks > 0;
  } else {
    const bool is_late = others.is_acknowledged && is_before(tcp.acknowledgment, others.snd_una);
    if (!is_late && !has_older_mark) ++self.facts.stale_acks;
  }
  if (!is_before(header_of(tcp).end(), own.snd_nxt))
    self.newest_identification = frame.ip->identification;
}

}  // namespace tcplab::capture
