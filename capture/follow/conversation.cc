#include "capture/follow/conversation.hh"

#include <algorithm>
#include <utility>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

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
  const SegmentHeader segment = header_of(*frame.tcp);
  SegmentReading reading{.before = {numbers(0), numbers(1)}};
  reading.sender =
      Endpoint{frame.ip->source, frame.tcp->source_port} == ends_[0].told.address ? 0 : 1;
  End& sender = ends_[reading.sender];
  End& receiver = ends_[1 - reading.sender];
  ++sender.told.segments;
  sender.told.last_at = at;
  sender.sent_data_last = segment.length > 0;
  if (segment.rst) {
    take_reset(segment, reading.sender, reading);
    return reading;
  }
  open(segment, reading.sender, reading);
  reading.traits = sender.tracker.send(segment);
  receiver.tracker.receive(segment);
  last_traits_ = reading.traits;
  count(reading.traits, sender, receiver);
  note_window(segment, reading);
  if (segment.ack) take_acknowledgment(segment, reading.sender, reading);
  const std::uint64_t octets = sender.tracker.variables().octets;
  if (octets != sender.told.octets) ++sender.told.data_segments;
  sender.told.octets = octets;
  if (segment.fin) take_fin(reading.sender, reading);
  return reading;
}

void Conversation::count(SegmentTraits traits, End& sender, End& receiver) {
  const auto count_if = [&](SegmentTrait trait, std::uint64_t& counter) {
    if (traits.has(trait)) ++counter;
  };
  count_if(SegmentTrait::retransmission, sender.told.retransmissions);
  count_if(SegmentTrait::out_of_order, sender.told.out_of_order);
  count_if(SegmentTrait::duplicate_ack, sender.told.duplicate_acks);
  count_if(SegmentTrait::keepalive_probe, sender.told.keepalive_probes);
  count_if(SegmentTrait::window_probe, sender.told.window_probes);
  count_if(SegmentTrait::zero_window, sender.told.zero_windows);
  receiver.told.unanswered = 0;
  if (traits.is_probe() || traits.has(SegmentTrait::retransmission) ||
      traits.has(SegmentTrait::partial_retransmission))
    ++sender.told.unanswered;
}

void Conversation::note_window(const SegmentHeader& segment, SegmentReading& reading) {
  if (segment.syn) return;
  const bool was_closed = reading.before[reading.sender].window == 0U;
  reading.closes_window = segment.window == 0 && !was_closed;
  reading.opens_window = segment.window != 0 && was_closed;
}

void Conversation::move(std::size_t end, TcpState to, SegmentReading& reading) {
  TcpState& state = ends_[end].told.state;
  if (state == to) return;
  reading.changes.push_back({end, std::exchange(state, to), to});
  was_established_ = was_established_ || to == TcpState::established;
}

// RFC 9293 section 3.5. A connection whose first captured segment is no SYN was established.
void Conversation::open(const SegmentHeader& segment, std::size_t sender, SegmentReading& reading) {
  End& end = ends_[sender];
  const bool is_new = !numbers(0).is_known && !numbers(1).is_known;
  if (segment.syn) {
    end.told.sent_syn = true;
    if (end.told.state != TcpState::closed && end.told.state != TcpState::syn_sent) return;
    const bool answers = segment.ack;
    move(sender, answers ? TcpState::syn_recv : TcpState::syn_sent, reading);
  } else if (is_new) {
    move(0, TcpState::established, reading);
    move(1, TcpState::established, reading);
  }
}

void Conversation::take_acknowledgment(const SegmentHeader& segment, std::size_t sender,
                                       SegmentReading& reading) {
  End& self = ends_[sender];
  End& other = ends_[1 - sender];
  const bool answers_syn = !segment.syn;
  if (answers_syn && self.told.state == TcpState::syn_sent && other.told.sent_syn)
    move(sender, TcpState::established, reading);
  if (answers_syn && self.told.state == TcpState::syn_recv &&
      other.told.state != TcpState::syn_sent)
    move(sender, TcpState::established, reading);
  if (answers_syn && other.told.state == TcpState::syn_recv)
    move(1 - sender, TcpState::established, reading);
  const auto fin_end = numbers(1 - sender).fin_end;
  if (!fin_end || is_before(segment.acknowledgment, *fin_end)) return;
  if (!self.fin_received) fin_arrives(sender, reading);
  fin_acknowledged(1 - sender, reading);
}

// Section 3.10.7.4, eighth: the state of an end that receives a FIN.
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

// Section 3.10.7.4, fifth. If the other end's FIN passed the capture before this acknowledgment, it
// arrived first: both ends closed at the same time, and this one is in CLOSING.
void Conversation::fin_acknowledged(std::size_t sender, SegmentReading& reading) {
  const bool crossed = ends_[1 - sender].told.sent_fin && !ends_[sender].fin_received;
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

void Conversation::take_fin(std::size_t sender, SegmentReading& reading) {
  End& end = ends_[sender];
  if (end.told.sent_fin) return;
  end.told.sent_fin = true;
  if (!closed_first_) closed_first_ = sender;
  const bool is_passive = end.told.state == TcpState::close_wait;
  move(sender, is_passive ? TcpState::last_ack : TcpState::fin_wait1, reading);
}

// Section 3.10.7.1: a kernel without such a connection answers <SEQ=SEG.ACK><CTL=RST> to a
// segment with an ACK, <SEQ=0><ACK=...><CTL=RST,ACK> to one without.
ResetKind Conversation::kind_of_reset(const SegmentHeader& segment, std::size_t sender) const {
  const End& self = ends_[sender];
  const End& other = ends_[1 - sender];
  if (other.told.state == TcpState::syn_sent && !self.told.sent_syn) return ResetKind::refused;
  if (self.told.unanswered > 0) return ResetKind::gave_up;
  if (!segment.ack && self.told.sent_fin) return ResetKind::after_close;
  const bool has_peers_number = segment.sequence == numbers(1 - sender).acknowledgment.value_or(0);
  if (!segment.ack && has_peers_number) return ResetKind::no_connection;
  const bool has_own_number =
      !numbers(sender).is_known || segment.sequence == numbers(sender).snd_nxt;
  if (!has_own_number && !has_peers_number) return ResetKind::out_of_place;
  return self.told.sent_fin ? ResetKind::after_close : ResetKind::abort;
}

void Conversation::take_reset(const SegmentHeader& segment, std::size_t sender,
                              SegmentReading& reading) {
  reading.reset = kind_of_reset(segment, sender);
  if (reading.reset == ResetKind::out_of_place) return;
  ends_[1 - sender].told.unanswered = 0;  // a reset is an answer too
  if (reset_ == ResetKind::none) {
    reset_ = reading.reset;
    reset_by_ = sender;
    reset_after_ = last_traits_;
    reset_after_data_ = ends_[1 - sender].sent_data_last;
    reset_in_ = {ends_[0].told.state, ends_[1].told.state};
  }
  move(0, TcpState::closed, reading);
  move(1, TcpState::closed, reading);
}

}  // namespace tcplab::capture
