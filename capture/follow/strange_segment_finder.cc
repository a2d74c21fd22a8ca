#include "capture/follow/strange_segment_finder.hh"

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

void StrangeSegmentFinder::note(const SeenSegment& seen, EndFacts& sender) {
  const TcpSegment& tcp = seen.tcp();
  const bool is_flagless = (tcp.flags & (TcpFlags::kSyn | TcpFlags::kAck)) == 0;
  // RFC 5961 sections 3.2, 4.2: a RST or SYN out of place is answered with a challenge ACK.
  if (to_be_challenged_ == seen.sender() && seen.is_pure_ack() && is_short_of(tcp.sequence))
    ++sender.rare.edit().challenges;
  to_be_challenged_ = {};
  unsent_.reset();
  flagless_by_ = {};
  if (is_flagless) {
    ++sender.rare.edit().flagless;
    flagless_by_ = seen.sender();
  }
  if (tcp.has(TcpFlags::kUrgent) && tcp.length > 0) ++sender.rare.edit().urgent;
  if (!seen.is_pure_ack() || !seen.own().is_known || !seen.others().is_known) return;
  if (!is_before(seen.others().snd_nxt, tcp.acknowledgment)) return;
  ++sender.rare.edit().acks_unsent;
  to_be_challenged_ = seen.receiver();
  unsent_ = tcp.acknowledgment;
}

/// A capture may have missed the octets that an ACK is for. Then their sender goes on behind them;
/// a keepalive probe is one octet below.
bool StrangeSegmentFinder::is_short_of(std::uint32_t sequence) const {
  return !unsent_ || is_before(sequence + 1, *unsent_);
}

void StrangeSegmentFinder::note_reset(const SeenSegment& reset, EndFacts& receiver) const {
  if (flagless_by_ == reset.receiver()) ++receiver.rare.edit().flagless_refused;
}

void StrangeSegmentFinder::note_misplaced_reset(const SeenSegment& reset, EndFacts& sender) {
  ++sender.rare.edit().resets_out_of_place;
  to_be_challenged_ = reset.receiver();
  unsent_.reset();
  const std::uint32_t expected = reset.others().acknowledgment.value_or(reset.own().snd_nxt);
  sender.rare.edit().reset_offset = static_cast<std::int32_t>(reset.tcp().sequence - expected);
}

}  // namespace tcplab::capture
