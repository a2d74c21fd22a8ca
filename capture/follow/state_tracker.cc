#include "capture/follow/state_tracker.hh"

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

/// Section 3.10.7.4, first and fifth: whether an end may drop the segment, and so does not heed its
/// acknowledgment. The window that a capture shows may not be the latest.
bool may_be_dropped(const SegmentHeader& segment, const SequenceVariables& receiver,
                    TcpState state) {
  const bool is_synchronized =
      state != TcpState::closed && state != TcpState::listen && state != TcpState::syn_sent;
  if (!is_synchronized || !receiver.has_sent_syn || !receiver.irs) return false;
  if (segment.syn) return state != TcpState::syn_recv;
  return is_before(receiver.rcv_end, segment.sequence) ||
         is_before(segment.end(), receiver.rcv_nxt) ||
         is_before(receiver.snd_nxt, segment.acknowledgment);
}

/// tcp_reset_check() in net/ipv4/tcp_input.c: Linux takes a RST with the number of the FIN that it
/// has received.
bool takes_reset_of_fin(const SegmentHeader& segment, const SequenceVariables& receiver,
                        TcpState state) {
  const bool has_fin =
      state == TcpState::close_wait || state == TcpState::closing || state == TcpState::last_ack;
  return has_fin && receiver.irs && segment.sequence == receiver.rcv_nxt - 1;
}

}  // namespace

void StateTracker::RecentStates::add(TcpState state) {
  const auto all = std::span(states_).first(size_);
  const auto later = std::remove(all.begin(), all.end(), state);
  size_ -= static_cast<std::uint8_t>(all.end() - later);
  states_.at(size_++) = state;
}

void StateTracker::RecentStates::begin_with(TcpState state) {
  states_.front() = state;
  size_ = 1;
}

bool StateTracker::is_over() const {
  return !is_open(ends_[0].state.now) && !is_open(ends_[1].state.now);
}

std::optional<std::size_t> StateTracker::client() const {
  std::array<bool, 2> asked{};
  for (const std::size_t which : {0, 1}) {
    const EndState& self = end(which);
    const EndState& other = end(1 - which);
    asked.at(which) =
        (self.sent_syn && !self.sent_syn_ack) || (other.sent_syn_ack && !self.sent_syn);
  }
  if (asked[0] == asked[1]) return std::nullopt;
  return asked[0] ? 0 : 1;
}

std::optional<std::size_t> StateTracker::only_direction() const {
  for (const std::size_t end : {0, 1})
    if (ends_.at(end).was_answered && !ends_.at(1 - end).has_spoken) return end;
  return std::nullopt;
}

std::vector<TcpState> StateTracker::possible_states(std::size_t which) const {
  const End& self = ends_.at(which);
  const TcpState now = self.state.now;
  std::vector<TcpState> states;
  const auto add = [&states](TcpState state) {
    if (std::ranges::find(states, state) == states.end()) states.push_back(state);
  };
  const bool is_fin_under_way = end(1 - which).sent_fin && !self.fin_received;
  if (is_fin_under_way) add(after_fin(now));
  if (now == TcpState::syn_sent && end(1 - which).sent_syn_ack) add(TcpState::established);
  add(now);
  if (now == TcpState::syn_recv && self.syn_acks_unheeded > 0) add(TcpState::established);
  const std::span<const TcpState> recent = self.since_spoke.all();
  for (auto state = recent.rbegin(); state != recent.rend(); ++state) add(*state);
  if (self.otherwise) add(*self.otherwise);
  return states;
}

void StateTracker::note(const SegmentHeader& segment, SegmentReading& reading) {
  End& sender = ends_.at(reading.sender);
  sender.has_spoken = true;
  if (sender.otherwise == TcpState::closed) sender.otherwise.reset();  // it was not
  if (segment.rst) {
    take_reset(segment, reading);
  } else {
    note_unseen_answer(segment, reading);
    open(segment, reading);
    note_unheeded(segment, reading);
    if (segment.ack) take_acknowledgment(segment, reading);
    if (segment.fin) take_fin(reading);
  }
  sender.since_spoke.begin_with(sender.state.now);
}

void StateTracker::move(std::size_t end, TcpState to, SegmentReading& reading) {
  TcpState& state = ends_.at(end).state.now;
  if (state == to) return;
  reading.changes.push_back({end, std::exchange(state, to), to});
  ends_.at(end).since_spoke.add(to);
  was_established_ = was_established_ || to == TcpState::established;
}

/// A capture may have one direction only. A segment that acknowledges more than the one before, or
/// the SYN or SYN,ACK of an end of which there is nothing, shows that this end spoke.
void StateTracker::note_unseen_answer(const SegmentHeader& segment, SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  End& self = ends_.at(sender);
  if (ends_.at(1 - sender).has_spoken || !segment.ack) return;
  const bool completes = self.state.now == TcpState::syn_sent && !segment.syn;
  const bool is_completed = self.state.now == TcpState::syn_recv && !segment.syn;
  const auto before = reading.before.at(sender).acknowledgment;
  const bool advances = before && is_before(*before, segment.acknowledgment);
  if (!completes && !is_completed && !advances) return;
  self.was_answered = reading.shows_unseen_answer = true;
  if (!completes && !is_completed) return;
  move(sender, TcpState::established, reading);
  move(1 - sender, TcpState::established, reading);
}

void StateTracker::take_reset(const SegmentHeader& segment, SegmentReading& reading) {
  const std::size_t receiver = 1 - reading.sender;
  if (takes_reset_of_fin(segment, reading.before.at(receiver), end(receiver).now))
    ends_.at(receiver).otherwise = TcpState::closed;
  if (reading.reset == ResetKind::out_of_place) return;
  move(0, TcpState::closed, reading);
  move(1, TcpState::closed, reading);
}

// RFC 9293 section 3.5. A connection whose first captured segment is no SYN was established.
void StateTracker::open(const SegmentHeader& segment, SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  EndState& self = ends_.at(sender).state;
  const bool is_new = !reading.before[0].is_known && !reading.before[1].is_known;
  if (segment.syn) {
    self.sent_syn = true;
    self.sent_syn_ack = self.sent_syn_ack || segment.ack;
    if (self.now != TcpState::closed && self.now != TcpState::syn_sent) return;
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
void StateTracker::note_unheeded(const SegmentHeader& segment, SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  const SequenceVariables& before = reading.before.at(sender);
  End& self = ends_.at(sender);
  if (!segment.syn) {
    self.has_left_handshake = true;
    return;
  }
  const bool is_again = segment.ack && before.is_acknowledged && segment.sequence == before.iss &&
                        client() == 1 - sender;
  const bool is_open =
      self.state.now == TcpState::established || self.state.now == TcpState::syn_recv;
  if (!is_again || self.has_left_handshake || !is_open) return;
  ++self.syn_acks_unheeded;
  move(sender, TcpState::syn_recv, reading);
}

void StateTracker::take_acknowledgment(const SegmentHeader& segment, SegmentReading& reading) {
  const std::size_t receiver = 1 - reading.sender;
  const TcpState before = end(receiver).now;
  const bool is_doubtful = may_be_dropped(segment, reading.before.at(receiver), before);
  heed_acknowledgment(segment, reading);
  End& heeding = ends_.at(receiver);
  if (!is_doubtful)
    heeding.otherwise.reset();
  else if (heeding.state.now != before && !heeding.otherwise)
    heeding.otherwise = before;
}

void StateTracker::heed_acknowledgment(const SegmentHeader& segment, SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  const std::size_t receiver = 1 - sender;
  const bool answers_syn = !segment.syn;
  if (answers_syn && end(sender).now == TcpState::syn_sent && end(receiver).sent_syn)
    move(sender, TcpState::established, reading);
  if (answers_syn && end(sender).now == TcpState::syn_recv &&
      end(receiver).now != TcpState::syn_sent)
    move(sender, TcpState::established, reading);
  if (answers_syn && end(receiver).now == TcpState::syn_recv &&
      ends_.at(receiver).syn_acks_unheeded < kUnheeded)
    move(receiver, TcpState::established, reading);
  const auto fin_end = reading.before.at(receiver).fin_end;
  if (!fin_end || is_before(segment.acknowledgment, *fin_end)) return;
  if (!ends_.at(sender).fin_received) fin_arrives(sender, reading);
  fin_acknowledged(receiver, reading);
}

void StateTracker::fin_arrives(std::size_t receiver, SegmentReading& reading) {
  ends_.at(receiver).fin_received = true;
  move(receiver, after_fin(end(receiver).now), reading);
}

// Section 3.10.7.4, fifth. If the other end's FIN passed the capture before this acknowledgment, it
// arrived first: both ends closed at the same time, and this one is in CLOSING.
void StateTracker::fin_acknowledged(std::size_t sender, SegmentReading& reading) {
  const bool crossed = end(1 - sender).sent_fin && !ends_.at(sender).fin_received;
  if (crossed && end(sender).now == TcpState::fin_wait1) fin_arrives(sender, reading);
  switch (end(sender).now) {
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

void StateTracker::take_fin(SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  EndState& self = ends_.at(sender).state;
  if (self.sent_fin) return;
  self.sent_fin = true;
  if (!closed_first_) closed_first_ = sender;
  const bool is_passive = self.now == TcpState::close_wait;
  move(sender, is_passive ? TcpState::last_ack : TcpState::fin_wait1, reading);
}

}  // namespace tcplab::capture
