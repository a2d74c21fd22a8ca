#include "capture/follow/ending_collector.hh"

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

void EndingCollector::note(const SeenSegment& seen, EndFacts& sender) {
  if (seen.is_data()) note_data(seen, sender);
  if (seen.tcp().has(TcpFlags::kFin)) note_fin(seen, sender);
  window_opened_by_ = {};
  if (seen.reading.opens_window && sender.rare->window_opened) window_opened_by_ = seen.sender();
  is_over_ = seen.talk.states().is_over() && seen.talk.states().have_both_sent_fin();
}

/// Notes data, which may come too late.
void EndingCollector::note_data(const SeenSegment& seen, EndFacts& sender) {
  const SegmentHeader segment = header_of(seen.tcp());
  const auto own_fin = seen.own().fin_end;
  const auto others_fin = seen.others().fin_end;
  const bool knows_fin = others_fin && !is_before(segment.acknowledgment, *others_fin);
  if (knows_fin && !reset_.by) ++sender.rare.edit().data_after_peer_fin;
  if (own_fin && !is_before(segment.sequence + segment.length, *own_fin))
    ++sender.rare.edit().data_over_fin;
  if (reset_.by == seen.sender() && !is_before(segment.sequence, reset_.sequence))
    ++sender.rare.edit().spoke_after_reset;
  if (is_over_) ++sender.rare.edit().data_after_over;
  if (reset_.by == seen.receiver()) facts_.data_after_reset = true;
  if (!reset_.by) facts_.replied_last = seen.sender();
}

void EndingCollector::note_fin(const SeenSegment& seen, EndFacts& sender) {
  const SegmentHeader segment = header_of(seen.tcp());
  const auto others_fin = seen.others().fin_end;
  if (seen.own().fin_end) {
    ++sender.rare.edit().fin_retransmits;
    if (seen.reading.traits.has(SegmentTrait::spurious_retransmission))
      ++sender.rare.edit().fin_retransmits_after_ack;
    return;
  }
  if (others_fin && segment.ack && is_before(segment.acknowledgment, *others_fin))
    facts_.closed_at_once = true;
  sender.fin_before_reply = facts_.replied_last == seen.sender() && segment.length == 0;
  if (!others_fin) facts_.fin_at = seen.at;
}

void EndingCollector::note_reset(const SeenSegment& reset, const ResetTrigger& trigger,
                                 FactsOfEnds& ends) {
  EndFacts& sender = ends.at(reset.sender());
  const TcpSegment& tcp = reset.tcp();
  if (reset_.by) {
    ++sender.rare.edit().more_resets;
    return;
  }
  const bool acknowledges_all =
      tcp.has(TcpFlags::kAck) && tcp.acknowledgment == reset.others().snd_nxt;
  if (acknowledges_all && facts_.replied_last == reset.receiver())
    sender.rare.edit().reset_after_data = reset.at - ends.at(reset.receiver()).last_data.at;
  reset_ = {reset.sender(), tcp.sequence};
  facts_.reset_at = reset.at;
  facts_.reset_has_ack = tcp.has(TcpFlags::kAck);
  facts_.reset_acknowledges_unseen = facts_.reset_has_ack && reset.others().is_known &&
                                     is_before(reset.others().snd_nxt, tcp.acknowledgment);
  facts_.reset_trigger = trigger;
  facts_.reset_after_opening = window_opened_by_ == reset.receiver();
  facts_.reset_after_over = is_over_;
}

}  // namespace tcplab::capture
