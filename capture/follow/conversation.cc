#include "capture/follow/conversation.hh"

#include <algorithm>
#include <utility>

#include "capture/follow/connection_numbers.hh"

namespace tcplab::capture {

namespace {

std::uint32_t end_of(const TcpSegment& segment) {
  return segment.sequence + static_cast<std::uint32_t>(segment.length) +
         (segment.has(TcpFlags::kSyn) ? 1U : 0U) + (segment.has(TcpFlags::kFin) ? 1U : 0U);
}

bool is_open(TcpState state) {
  return state != TcpState::closed && state != TcpState::time_wait && state != TcpState::listen;
}

}  // namespace

Conversation::Conversation(const FlowKey& first, std::int64_t at) : began_at_(at) {
  ends_[0].told.address = first.source;
  ends_[1].told.address = first.destination;
}

std::int64_t Conversation::last_at() const {
  return std::max(ends_[0].told.last_at, ends_[1].told.last_at);
}

bool Conversation::is_over() const {
  return !is_open(ends_[0].told.state) && !is_open(ends_[1].told.state);
}

SegmentReading Conversation::note(const DecodedFrame& frame, std::int64_t at) {
  const TcpSegment& segment = *frame.tcp;
  SegmentReading reading;
  reading.sender = frame.ip->source == ends_[0].told.address.address &&
                           segment.source_port == ends_[0].told.address.port
                       ? 0
                       : 1;
  End& sender = ends_[reading.sender];
  End& receiver = ends_[1 - reading.sender];
  ++sender.told.segments;
  sender.told.last_at = at;
  sender.sent_data_last = segment.length > 0;
  if (segment.has(TcpFlags::kRst)) {
    take_reset(segment, reading.sender, reading);
    return reading;
  }
  open(segment, reading.sender, reading);
  reading.kind = kind_of(segment, sender, receiver);
  last_kind_ = reading.kind;
  count(reading.kind, sender, receiver);
  note_window(segment, sender, reading);
  if (segment.has(TcpFlags::kAck)) take_acknowledgment(segment, reading.sender, reading);
  take_sequence(segment, sender);
  if (segment.has(TcpFlags::kFin)) take_fin(segment, reading.sender, reading);
  return reading;
}

SegmentKind Conversation::kind_of(const TcpSegment& segment, const End& sender,
                                  const End& receiver) const {
  if (!sender.known) return SegmentKind::ordinary;
  const bool occupies = end_of(segment) != segment.sequence;
  const bool plain = !segment.has(TcpFlags::kSyn) && !segment.has(TcpFlags::kFin);
  if (plain && segment.length <= 1 && segment.sequence == sender.next - 1 &&
      sender.told.state != TcpState::syn_sent)
    return receiver.window == 0 ? SegmentKind::zero_window_probe : SegmentKind::keepalive_probe;
  if (plain && segment.length == 1 && receiver.window == 0 && segment.sequence == sender.next)
    return SegmentKind::zero_window_probe;
  if (occupies && sender.gaps.contains(segment.sequence)) return SegmentKind::out_of_order;
  if (occupies && is_before(segment.sequence, sender.next)) return SegmentKind::retransmission;
  const bool repeats = !occupies && segment.acknowledgment == sender.last_ack &&
                       segment.window == sender.window && receiver.next != sender.last_ack;
  return repeats ? SegmentKind::duplicate_ack : SegmentKind::ordinary;
}

void Conversation::count(SegmentKind kind, End& sender, End& receiver) {
  receiver.told.unanswered = 0;
  switch (kind) {
    case SegmentKind::ordinary:
      break;
    case SegmentKind::retransmission:
      ++sender.told.retransmissions;
      ++sender.told.unanswered;
      break;
    case SegmentKind::out_of_order:
      ++sender.told.out_of_order;
      break;
    case SegmentKind::keepalive_probe:
    case SegmentKind::zero_window_probe:
      ++sender.told.keepalive_probes;
      ++sender.told.unanswered;
      break;
    case SegmentKind::duplicate_ack:
      ++sender.told.duplicate_acks;
      break;
  }
}

// A SYN's window is not scaled and never zero in earnest.
void Conversation::note_window(const TcpSegment& segment, End& sender, SegmentReading& reading) {
  if (segment.has(TcpFlags::kSyn)) return;
  if (segment.window == 0) ++sender.told.zero_windows;
  reading.closes_window = segment.window == 0 && sender.window != 0;
  reading.opens_window = segment.window != 0 && sender.window == 0;
  sender.window = segment.window;
}

void Conversation::take_sequence(const TcpSegment& segment, End& sender) {
  if (segment.has(TcpFlags::kAck)) sender.last_ack = segment.acknowledgment;
  const std::uint64_t before = sender.told.octets;
  take_octets(segment, sender);
  if (sender.told.octets != before) ++sender.told.data_segments;
}

void Conversation::take_octets(const TcpSegment& segment, End& sender) {
  const std::uint32_t end = end_of(segment);
  sender.told.octets += sender.gaps.fill(segment.sequence, end);
  if (sender.known && !is_before(sender.next, end)) return;
  const bool skips = sender.known && is_before(sender.next, segment.sequence);
  if (skips) sender.gaps.add(sender.next, segment.sequence);
  const std::uint32_t begin = skips || !sender.known ? segment.sequence : sender.next;
  sender.told.octets += end - begin - (segment.has(TcpFlags::kSyn) ? 1U : 0U) -
                        (segment.has(TcpFlags::kFin) ? 1U : 0U);
  sender.next = end;
  sender.known = true;
}

void Conversation::move(std::size_t end, TcpState to, SegmentReading& reading) {
  TcpState& state = ends_[end].told.state;
  if (state == to) return;
  reading.changes.push_back({end, std::exchange(state, to), to});
  was_established_ = was_established_ || to == TcpState::established;
}

// RFC 9293 section 3.5. A connection that is first seen in its middle was established.
void Conversation::open(const TcpSegment& segment, std::size_t sender, SegmentReading& reading) {
  End& end = ends_[sender];
  const bool is_new = !ends_[0].known && !ends_[1].known;
  if (segment.has(TcpFlags::kSyn)) {
    end.told.sent_syn = true;
    if (end.told.state != TcpState::closed && end.told.state != TcpState::syn_sent) return;
    const bool answers = segment.has(TcpFlags::kAck);
    move(sender, answers ? TcpState::syn_recv : TcpState::syn_sent, reading);
  } else if (is_new) {
    move(0, TcpState::established, reading);
    move(1, TcpState::established, reading);
  }
}

void Conversation::take_acknowledgment(const TcpSegment& segment, std::size_t sender,
                                       SegmentReading& reading) {
  End& self = ends_[sender];
  End& other = ends_[1 - sender];
  const bool answers_syn = !segment.has(TcpFlags::kSyn);
  if (answers_syn && self.told.state == TcpState::syn_sent && other.told.sent_syn)
    move(sender, TcpState::established, reading);
  if (answers_syn && self.told.state == TcpState::syn_recv &&
      other.told.state != TcpState::syn_sent)
    move(sender, TcpState::established, reading);
  if (answers_syn && other.told.state == TcpState::syn_recv)
    move(1 - sender, TcpState::established, reading);
  if (!other.fin || is_before(segment.acknowledgment, *other.fin)) return;
  if (!self.fin_received) fin_arrives(sender, reading);
  fin_acknowledged(1 - sender, reading);
}

// Section 3.10.7.4, eighth: what the receiver of a FIN becomes.
void Conversation::fin_arrives(std::size_t receiver, SegmentReading& reading) {
  ends_[receiver].fin_received = true;
  switch (ends_[receiver].told.state) {
    case TcpState::syn_recv:
    case TcpState::established:
      return move(receiver, TcpState::close_wait, reading);
    case TcpState::fin_wait1:
      return move(receiver, TcpState::closing, reading);
    case TcpState::fin_wait2:
      return move(receiver, TcpState::time_wait, reading);
    default:
      return;
  }
}

// Section 3.10.7.4, fifth. Where the other end's FIN passed the capture before this
// acknowledgment, it was there first: the ends closed at once, and this one is in CLOSING.
void Conversation::fin_acknowledged(std::size_t sender, SegmentReading& reading) {
  const bool crossed = ends_[1 - sender].fin && !ends_[sender].fin_received;
  if (crossed && ends_[sender].told.state == TcpState::fin_wait1) fin_arrives(sender, reading);
  switch (ends_[sender].told.state) {
    case TcpState::fin_wait1:
      return move(sender, TcpState::fin_wait2, reading);
    case TcpState::closing:
      return move(sender, TcpState::time_wait, reading);
    case TcpState::last_ack:
      return move(sender, TcpState::closed, reading);
    default:
      return;
  }
}

void Conversation::take_fin(const TcpSegment& segment, std::size_t sender,
                            SegmentReading& reading) {
  End& end = ends_[sender];
  if (end.fin) return;
  end.fin = end_of(segment);
  end.told.sent_fin = true;
  if (!closed_first_) closed_first_ = sender;
  const bool is_passive = end.told.state == TcpState::close_wait;
  move(sender, is_passive ? TcpState::last_ack : TcpState::fin_wait1, reading);
}

// Section 3.10.7.1: a kernel without such a connection answers <SEQ=SEG.ACK><CTL=RST> to a
// segment with an ACK, <SEQ=0><ACK=...><CTL=RST,ACK> to one without.
ResetKind Conversation::kind_of_reset(const TcpSegment& segment, std::size_t sender) const {
  const End& self = ends_[sender];
  const End& other = ends_[1 - sender];
  if (other.told.state == TcpState::syn_sent && !self.told.sent_syn) return ResetKind::refused;
  if (self.told.unanswered > 0) return ResetKind::gave_up;
  const bool acknowledges = segment.has(TcpFlags::kAck);
  if (!acknowledges && self.told.sent_fin) return ResetKind::after_close;
  if (!acknowledges && segment.sequence == other.last_ack) return ResetKind::no_connection;
  if (self.known && segment.sequence != self.next && segment.sequence != other.last_ack)
    return ResetKind::out_of_place;
  return self.told.sent_fin ? ResetKind::after_close : ResetKind::abort;
}

void Conversation::take_reset(const TcpSegment& segment, std::size_t sender,
                              SegmentReading& reading) {
  reading.reset = kind_of_reset(segment, sender);
  if (reading.reset == ResetKind::out_of_place) return;
  ends_[1 - sender].told.unanswered = 0;  // a reset is an answer, too
  if (reset_ == ResetKind::none) {
    reset_ = reading.reset;
    reset_by_ = sender;
    reset_after_ = last_kind_;
    reset_after_data_ = ends_[1 - sender].sent_data_last;
    reset_in_ = {ends_[0].told.state, ends_[1].told.state};
  }
  move(0, TcpState::closed, reading);
  move(1, TcpState::closed, reading);
}

}  // namespace tcplab::capture
