#include "capture/follow/reordering_finder.hh"

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

constexpr std::int16_t kReordered = 64;  // packets of one sender between two that changed places

/// True if the timestamp or identification shows that the packet was sent before the sender's
/// newest.
bool is_older(const SeenSegment& seen, std::uint32_t newest) {
  const auto& stamp = seen.tcp().options.timestamps;
  const auto& newest_stamp = seen.own().ts_own;
  if (stamp && newest_stamp && is_before(stamp->value, *newest_stamp)) return true;
  const auto behind = static_cast<std::int16_t>(newest - seen.frame.ip->identification);
  return behind > 0 && behind <= kReordered;
}

}  // namespace

/// The sender of an ACK below acknowledged octets may also go on after the data: it knows of it.
void ReorderingFinder::note(const SeenSegment& seen, std::uint64_t duplicate_acks,
                            EndFacts& sender) {
  const TcpSegment& tcp = seen.tcp();
  const SequenceVariables& own = seen.own();
  const SequenceVariables& others = seen.others();
  End& self = ends_.at(seen.sender());
  const bool is_below = own.is_acknowledged && is_before(tcp.sequence, own.snd_una);
  if (!own.is_known || !others.is_known || seen.reading.traits.is_probe()) return;
  const bool has_older_mark = is_older(seen, self.newest_identification);
  const bool is_unasked = seen.at - self.gap_at < sender.round_trip && duplicate_acks < 2;
  if (is_before(own.snd_nxt, tcp.sequence) && !self.has_gap) self.gap_at = seen.at;
  self.has_gap = seen.talk.missing(seen.sender()).above > 0;
  if (seen.reading.traits.has(SegmentTrait::out_of_order) && (has_older_mark || is_unasked))
    ++sender.overtaken;
  if (!is_below) {
    if (!self.spoke_below && sender.rare->stale_acks > 0) sender.rare.edit().stale_acks = 0;
  } else if (!seen.is_pure_ack()) {
    self.spoke_below = sender.rare->stale_acks > 0;
  } else {
    const bool is_late = others.is_acknowledged && is_before(tcp.acknowledgment, others.snd_una);
    if (!is_late && !has_older_mark) ++sender.rare.edit().stale_acks;
  }
  if (!is_before(header_of(tcp).end(), own.snd_nxt))
    self.newest_identification = seen.frame.ip->identification;
}

}  // namespace tcplab::capture
