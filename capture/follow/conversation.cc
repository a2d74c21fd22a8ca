#include "capture/follow/conversation.hh"

#include <algorithm>
#include <utility>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

// Retransmissions of a SYN,ACK that was acknowledged: one acknowledgment may be lost.
constexpr std::uint64_t kUnheeded = 2;

bool is_open(TcpState state) {
  return state != TcpState::closed && state != TcpState::time_wait && state != TcpState::listen;
}

/// Section 3.10.7.4, eighth: the state of an end that receives a FIN.
TcpState after_fin(TcpState state) {
  switch (state) {
    case TcpState::syn_recv:
    case TcpState::established:
      return TcpState::close_wait;
    case TcpState::fin_wait1:
      return TcpState::closing;
    case TcpState::fin_wait2:
      return TcpState::time_wait;
    default:
      return state;
  }
}

SegmentTrait kind_of_probe(std::optional<std::uint32_t> peer_window) {
  return peer_window == 0U ? SegmentTrait::window_probe : SegmentTrait::keepalive_probe;
}

}  // namespace

std::optional<std::size_t> largest_segment(const TcpSegment& tcp, const ConversationEnd& sender) {
  constexpr std::size_t kTimestamps = 12;  // RFC 7323, with padding; RFC 6691 section 2
  if (!sender.peer_mss) return std::nullopt;
  const std::size_t options = tcp.options.timestamps ? kTimestamps : 0;
  return std::max<std::size_t>(*sender.peer_mss, options + 1) - options;
}

std::uint64_t segments_in(const TcpSegment& tcp, const ConversationEnd& sender) {
  const std::size_t size = largest_segment(tcp, sender).value_or(tcp.length);
  return tcp.length <= size ? 1 : (tcp.length + size - 1) / size;
}

Conversation::Conversation(const FlowKey& first, std::int64_t at) : began_at_(at) {
  ends_[0].seen.address = first.source;
  ends_[1].seen.address = first.destination;
}

std::int64_t Conversation::last_at() const {
  return std::max(ends_[0].seen.last_at, ends_[1].seen.last_at);
}

std::optional<std::size_t> Conversation::client() const {
  std::array<bool, 2> asked{};
  for (const std::size_t end : {0, 1}) {
    const ConversationEnd& self = ends_.at(end).seen;
    const ConversationEnd& other = ends_.at(1 - end).seen;
    asked.at(end) = (self.sent_syn && !self.sent_syn_ack) || (other.sent_syn_ack && !self.sent_syn);
  }
  if (asked[0] == asked[1]) return std::nullopt;
  return asked[0] ? 0 : 1;
}

std::optional<std::size_t> Conversation::only_direction() const {
  for (const std::size_t end : {0, 1})
    if (ends_.at(end).was_answered && ends_.at(1 - end).seen.segments == 0) return end;
  return std::nullopt;
}

bool Conversation::is_over() const {
  return !is_open(ends_[0].seen.state) && !is_open(ends_[1].seen.state);
}

SegmentReading Conversation::note(const DecodedFrame& frame, std::int64_t at) {
  const SegmentHeader segment = header_of(*frame.tcp);
  SegmentReading reading;
  reading.sender =
      Endpoint{frame.ip->source, frame.tcp->source_port} == ends_[0].seen.address ? 0 : 1;
  find_first_probes(segment, reading.sender, reading);
  reading.before = {numbers(0), numbers(1)};
  End& sender = ends_[reading.sender];
  End& receiver = ends_[1 - reading.sender];
  const std::int64_t pause = at - sender.seen.last_at;
  ++sender.seen.segments;
  sender.seen.last_at = at;
  sender.sent_data_last = segment.length > 0;
  if (segment.syn && frame.tcp->options.maximum_segment_size)
    receiver.seen.peer_mss = frame.tcp->options.maximum_segment_size;
  note_unseen_answer(segment, reading.sender, reading);
  if (segment.rst) {
    ++sender.seen.resets;
    take_reset(segment, reading.sender, reading);
    sender.since_spoke = {sender.seen.state};
    return reading;
  }
  goes_on_after_reset_ = goes_on_after_reset_ || reset_ != ResetKind::none;
  open(segment, reading.sender, reading);
  note_unheeded(segment, reading.sender, reading);
  reading.traits = sender.tracker.send(segment);
  find_repeated_probe(segment, pause, reading);
  receiver.tracker.receive(segment);
  sender.others_segments = receiver.seen.segments;
  if (segment.timestamps) sender.echo = segment.timestamps->echo_reply;
  last_traits_ = reading.traits;
  count(reading.traits, sender, receiver);
  note_window(segment, reading);
  if (segment.ack) take_acknowledgment(segment, reading.sender, reading);
  count_data(*frame.tcp, sender);
  if (segment.fin) take_fin(reading.sender, reading);
  sender.since_spoke = {sender.seen.state};
  return reading;
}

void Conversation::count_data(const TcpSegment& tcp, End& sender) {
  const std::uint64_t octets = sender.tracker.variables().octets;
  if (octets == sender.seen.octets) return;
  sender.seen.octets = octets;
  ++sender.seen.data_frames;
  sender.seen.data_segments += segments_in(tcp, sender.seen);
}

/// A capture may have one direction only. A segment that acknowledges more than the one before, or
/// the SYN or SYN,ACK of an end of which there is nothing, shows that this end spoke.
void Conversation::note_unseen_answer(const SegmentHeader& segment, std::size_t sender,
                                      SegmentReading& reading) {
  End& self = ends_.at(sender);
  if (ends_.at(1 - sender).seen.segments > 0 || segment.rst || !segment.ack) return;
  const bool completes = self.seen.state == TcpState::syn_sent && !segment.syn;
  const bool is_completed = self.seen.state == TcpState::syn_recv && !segment.syn;
  const auto before = numbers(sender).acknowledgment;
  const bool advances = before && is_before(*before, segment.acknowledgment);
  if (!completes && !is_completed && !advances) return;
  self.was_answered = true;
  self.seen.unanswered = 0;
  if (!completes && !is_completed) return;
  move(sender, TcpState::established, reading);
  move(1 - sender, TcpState::established, reading);
}

void Conversation::count(SegmentTraits traits, End& sender, End& receiver) {
  const auto count_if = [&](SegmentTrait trait, std::uint64_t& counter) {
    if (traits.has(trait)) ++counter;
  };
  count_if(SegmentTrait::retransmission, sender.seen.retransmissions);
  count_if(SegmentTrait::out_of_order, sender.seen.out_of_order);
  count_if(SegmentTrait::duplicate_ack, sender.seen.duplicate_acks);
  count_if(SegmentTrait::keepalive_probe, sender.seen.keepalive_probes);
  count_if(SegmentTrait::window_probe, sender.seen.window_probes);
  count_if(SegmentTrait::zero_window, sender.seen.zero_windows);
  receiver.seen.unanswered = 0;
  if (traits.is_probe() || traits.has(SegmentTrait::retransmission) ||
      traits.has(SegmentTrait::partial_retransmission))
    ++sender.seen.unanswered;
}

/// A capture that begins in the middle may begin with probes, which look like plain ACKs. The
/// peer's acknowledgment, or the prober's own RST, has the number after theirs.
void Conversation::find_first_probes(const SegmentHeader& segment, std::size_t sender,
                                     SegmentReading& reading) {
  if (segment.syn) return;
  const std::size_t receiver = 1 - sender;
  if (segment.ack && !segment.rst &&
      ends_.at(receiver).tracker.began_with_probes(segment.acknowledgment))
    note_first_probes({receiver, ends_.at(receiver).seen.segments, kind_of_probe(segment.window)},
                      reading);
  if (segment.rst && ends_.at(sender).tracker.began_with_probes(segment.sequence))
    note_first_probes(
        {sender, ends_.at(sender).seen.segments, kind_of_probe(numbers(receiver).window)}, reading);
}

void Conversation::note_first_probes(const FirstProbes& probes, SegmentReading& reading) {
  ConversationEnd& seen = ends_.at(probes.end).seen;
  (probes.kind == SegmentTrait::window_probe ? seen.window_probes : seen.keepalive_probes) +=
      probes.count;
  seen.unanswered += probes.count;
  reading.first_probes = probes;
}

/// The same ACK once more is a probe if its sender has received nothing since. The first probe may
/// also come after the acknowledgment that has the number after its own.
void Conversation::find_repeated_probe(const SegmentHeader& segment, std::int64_t pause,
                                       SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  End& self = ends_.at(sender);
  const SequenceVariables& others = numbers(1 - sender);
  if (!segment.is_plain() || segment.length > 0) return;
  const bool is_first = self.seen.segments == 1 && others.acknowledgment == segment.sequence + 1;
  const bool is_same = others.acknowledgment != segment.sequence &&
                       repeats_itself(segment, pause, reading.before.at(sender), sender);
  if (!is_first && !is_same) return;
  if (!self.tracker.began_with_probes(segment.sequence + 1)) return;
  const SegmentTrait kind = kind_of_probe(others.window);
  reading.traits.add(kind);
  note_first_probes({sender, self.seen.segments - 1, kind}, reading);
}

bool Conversation::repeats_itself(const SegmentHeader& segment, std::int64_t pause,
                                  const SequenceVariables& before, std::size_t sender) const {
  constexpr std::int64_t kShortest = 200'000'000;  // Linux: TCP_RTO_MIN, the shortest probe timer
  const End& self = ends_.at(sender);
  if (!before.is_known || pause < kShortest) return false;
  if (self.others_segments != ends_.at(1 - sender).seen.segments) return false;
  // A newer timestamp of the peer has arrived (RFC 7323 section 4.3).
  if (segment.timestamps && self.echo != segment.timestamps->echo_reply) return false;
  return segment.sequence == before.snd_nxt && before.acknowledgment == segment.acknowledgment &&
         before.window == segment.window;
}

void Conversation::note_window(const SegmentHeader& segment, SegmentReading& reading) {
  if (segment.syn) return;
  const bool was_closed = reading.before[reading.sender].window == 0U;
  reading.closes_window = segment.window == 0 && !was_closed;
  reading.opens_window = segment.window != 0 && was_closed;
}

void Conversation::move(std::size_t end, TcpState to, SegmentReading& reading) {
  TcpState& state = ends_[end].seen.state;
  if (state == to) return;
  reading.changes.push_back({end, std::exchange(state, to), to});
  ends_[end].since_spoke.push_back(to);
  was_established_ = was_established_ || to == TcpState::established;
}

// RFC 9293 section 3.5. A connection whose first captured segment is no SYN was established.
void Conversation::open(const SegmentHeader& segment, std::size_t sender, SegmentReading& reading) {
  End& end = ends_[sender];
  const bool is_new = !numbers(0).is_known && !numbers(1).is_known;
  if (segment.syn) {
    end.seen.sent_syn = true;
    end.seen.sent_syn_ack = end.seen.sent_syn_ack || segment.ack;
    if (end.seen.state != TcpState::closed && end.seen.state != TcpState::syn_sent) return;
    const bool answers = segment.ack;
    if (answers && is_new) {
      begins_with_syn_ack_ = true;
      move(1 - sender, TcpState::syn_sent, reading);
    }
    move(sender, answers ? TcpState::syn_recv : TcpState::syn_sent, reading);
  } else if (is_new) {
    move(0, TcpState::established, reading);
    move(1, TcpState::established, reading);
  }
}

/// An end that retransmits its SYN,ACK is still in SYN_RECV. The acknowledgment was lost, or the
/// accept queue is full: tcp_check_req() drops it.
void Conversation::note_unheeded(const SegmentHeader& segment, std::size_t sender,
                                 SegmentReading& reading) {
  End& self = ends_[sender];
  if (!segment.syn) {
    self.has_left_handshake = true;
    return;
  }
  const bool is_again = segment.ack && numbers(sender).is_acknowledged &&
                        segment.sequence == numbers(sender).iss && client() == 1 - sender;
  const bool is_open =
      self.seen.state == TcpState::established || self.seen.state == TcpState::syn_recv;
  if (!is_again || self.has_left_handshake || !is_open) return;
  ++self.syn_acks_unheeded;
  move(sender, TcpState::syn_recv, reading);
}

void Conversation::take_acknowledgment(const SegmentHeader& segment, std::size_t sender,
                                       SegmentReading& reading) {
  End& self = ends_[sender];
  End& other = ends_[1 - sender];
  const bool answers_syn = !segment.syn;
  if (answers_syn && self.seen.state == TcpState::syn_sent && other.seen.sent_syn)
    move(sender, TcpState::established, reading);
  if (answers_syn && self.seen.state == TcpState::syn_recv &&
      other.seen.state != TcpState::syn_sent)
    move(sender, TcpState::established, reading);
  if (answers_syn && other.seen.state == TcpState::syn_recv && other.syn_acks_unheeded < kUnheeded)
    move(1 - sender, TcpState::established, reading);
  const auto fin_end = numbers(1 - sender).fin_end;
  if (!fin_end || is_before(segment.acknowledgment, *fin_end)) return;
  if (!self.fin_received) fin_arrives(sender, reading);
  fin_acknowledged(1 - sender, reading);
}

void Conversation::fin_arrives(std::size_t receiver, SegmentReading& reading) {
  ends_[receiver].fin_received = true;
  move(receiver, after_fin(ends_[receiver].seen.state), reading);
}

std::vector<TcpState> Conversation::possible_states(std::size_t which) const {
  const End& self = ends_.at(which);
  std::vector<TcpState> states;
  const auto add = [&states](TcpState state) {
    if (std::ranges::find(states, state) == states.end()) states.push_back(state);
  };
  const bool is_fin_under_way = ends_.at(1 - which).seen.sent_fin && !self.fin_received;
  if (is_fin_under_way) add(after_fin(self.seen.state));
  if (self.seen.state == TcpState::syn_sent && ends_.at(1 - which).seen.sent_syn_ack)
    add(TcpState::established);
  add(self.seen.state);
  if (self.seen.state == TcpState::syn_recv && self.syn_acks_unheeded > 0)
    add(TcpState::established);
  for (auto state = self.since_spoke.rbegin(); state != self.since_spoke.rend(); ++state)
    add(*state);
  return states;
}

// Section 3.10.7.4, fifth. If the other end's FIN passed the capture before this acknowledgment, it
// arrived first: both ends closed at the same time, and this one is in CLOSING.
void Conversation::fin_acknowledged(std::size_t sender, SegmentReading& reading) {
  const bool crossed = ends_[1 - sender].seen.sent_fin && !ends_[sender].fin_received;
  if (crossed && ends_[sender].seen.state == TcpState::fin_wait1) fin_arrives(sender, reading);
  switch (ends_[sender].seen.state) {
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
  if (end.seen.sent_fin) return;
  end.seen.sent_fin = true;
  if (!closed_first_) closed_first_ = sender;
  const bool is_passive = end.seen.state == TcpState::close_wait;
  move(sender, is_passive ? TcpState::last_ack : TcpState::fin_wait1, reading);
}

// Section 3.10.7.1: a kernel without such a connection answers <SEQ=SEG.ACK><CTL=RST> to a
// segment with an ACK, <SEQ=0><ACK=...><CTL=RST,ACK> to one without.
ResetKind Conversation::kind_of_reset(const SegmentHeader& segment, std::size_t sender) const {
  const End& self = ends_[sender];
  const End& other = ends_[1 - sender];
  if (other.seen.state == TcpState::syn_sent && !self.seen.sent_syn) return ResetKind::refused;
  if (self.seen.unanswered > 0) return ResetKind::gave_up;
  if (!segment.ack && self.seen.sent_fin) return ResetKind::after_close;
  const bool has_peers_number = segment.sequence == numbers(1 - sender).acknowledgment.value_or(0);
  // Section 3.10.7.3: a SYN,ACK for another number is refused, and the SYN remains.
  const bool was_for_another = other.seen.sent_syn && self.seen.state == TcpState::syn_sent &&
                               segment.sequence != numbers(sender).snd_nxt;
  if (!segment.ack && has_peers_number && was_for_another) return ResetKind::out_of_place;
  if (!segment.ack && has_peers_number) return ResetKind::no_connection;
  const bool has_own_number =
      !numbers(sender).is_known || segment.sequence == numbers(sender).snd_nxt;
  if (!has_own_number && !has_peers_number) return ResetKind::out_of_place;
  return self.seen.sent_fin ? ResetKind::after_close : ResetKind::abort;
}

void Conversation::take_reset(const SegmentHeader& segment, std::size_t sender,
                              SegmentReading& reading) {
  reading.reset = kind_of_reset(segment, sender);
  if (reading.reset == ResetKind::out_of_place) return;
  ends_[1 - sender].seen.unanswered = 0;  // a reset is an answer too
  if (reset_ == ResetKind::none) {
    reset_ = reading.reset;
    reset_by_ = sender;
    reset_after_ = last_traits_;
    reset_after_data_ = ends_[1 - sender].sent_data_last;
    reset_in_ = {ends_[0].seen.state, ends_[1].seen.state};
  }
  move(0, TcpState::closed, reading);
  move(1, TcpState::closed, reading);
}

}  // namespace tcplab::capture
