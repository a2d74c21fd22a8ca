#include "capture/follow/handshake_facts.hh"

#include <algorithm>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

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

/// An end that has an older connection answers a SYN by an ACK with that connection's numbers.
bool answers_by_ack(const SeenSegment& seen) {
  const StateTracker& states = seen.talk.states();
  const SequenceVariables& asked = seen.talk.numbers(seen.receiver());
  const std::uint32_t acknowledgment = seen.tcp().acknowledgment;
  const bool is_old =
      !is_before(asked.iss, acknowledgment) || is_before(asked.snd_nxt, acknowledgment);
  return seen.is_pure_ack() && states.end(seen.receiver()).sent_syn &&
         !states.end(seen.sender()).sent_syn && is_old;
}

void note_syn_ack(const SeenSegment& seen, FactsOfEnds& ends) {
  const SequenceVariables& own = seen.own();
  EndFacts& facts = ends.at(seen.sender());
  const EndFacts& asker = ends.at(seen.receiver());
  if (facts.syn_acks > 0 && own.has_sent_syn && own.iss != seen.tcp().sequence)
    ++facts.rare.edit().other_syn_acks;
  if (is_for_another_syn(seen.tcp(), seen.others())) ++facts.rare.edit().wrong_syn_acks;
  if (facts.syn_acks == 0 && asker.syns == 1) facts.round_trip = seen.at - asker.first_syn_at;
  ++facts.syn_acks;
  if (own.is_acknowledged) ++facts.rare.edit().syn_acks_after_answer;
}

void note_syn(const SeenSegment& seen, EndFacts& facts) {
  const TcpSegment& tcp = seen.tcp();
  if (seen.own().has_sent_syn && seen.own().iss != tcp.sequence) ++facts.rare.edit().other_syns;
  const bool asks_for_ecn = tcp.has(TcpFlags::kEcnEcho) && tcp.has(TcpFlags::kWindowReduced);
  if (facts.syns == 0) facts.syn_asked_for_ecn = asks_for_ecn;
  if (facts.syns > 0 && facts.syn_asked_for_ecn && !asks_for_ecn) facts.syn_gave_up_ecn = true;
  if (tcp.length > facts.rare->syn_data)
    facts.rare.edit().syn_data = static_cast<std::uint32_t>(tcp.length);
  if (facts.syns++ == 0) facts.first_syn_at = seen.at;
  facts.last_syn_at = seen.at;
}

/// The other end has sent a segment since.
void answer_stray_syns(EndFacts& facts) {
  if (facts.rare->stray_syns_waiting > 0) facts.rare.edit().stray_syns_waiting = 0;
}

}  // namespace

bool note_handshake(const SeenSegment& seen, FactsOfEnds& ends) {
  const TcpSegment& tcp = seen.tcp();
  EndFacts& facts = ends.at(seen.sender());
  answer_stray_syns(ends.at(seen.receiver()));
  if (answers_by_ack(seen)) facts.answered_syn_by_ack = true;
  if (!tcp.has(TcpFlags::kSyn)) return false;
  const bool answers = tcp.has(TcpFlags::kAck);
  if (facts.syns == 0 && facts.syn_acks == 0) facts.syn_options = options_of(tcp);
  if (seen.talk.states().was_established() && seen.own().is_known &&
      (!answers || facts.syn_acks == 0)) {
    RareFacts& strays = facts.rare.edit();
    ++strays.stray_syns;
    if (strays.stray_syns_waiting++ == 0) strays.first_stray_at = seen.at;
    facts.last_syn_at = seen.at;
    return true;
  }
  if (answers)
    note_syn_ack(seen, ends);
  else
    note_syn(seen, facts);
  return false;
}

// RFC 9293 section 3.10.7.1: <SEQ=0><ACK=SEG.SEQ+SEG.LEN><CTL=RST,ACK>
bool note_refused_stray(const SeenSegment& reset, FactsOfEnds& ends) {
  EndFacts& others = ends.at(reset.receiver());
  const bool refuses_syn = others.rare->stray_syns_waiting > 0 && reset.tcp().sequence == 0;
  if (refuses_syn) ++others.rare.edit().stray_syns_refused;
  answer_stray_syns(others);
  return refuses_syn;
}

}  // namespace tcplab::capture
