#include "capture/follow/seen_segment.hh"

namespace tcplab::capture {

bool SeenSegment::is_data() const {
  return tcp().length > 0 && !tcp().has(TcpFlags::kSyn) && !reading.traits.is_probe();
}

bool SeenSegment::is_retransmission() const {
  return reading.traits.has(SegmentTrait::retransmission) ||
         reading.traits.has(SegmentTrait::partial_retransmission);
}

bool SeenSegment::is_pure_ack() const {
  const auto others = TcpFlags::kSyn | TcpFlags::kFin | TcpFlags::kRst;
  return tcp().has(TcpFlags::kAck) && (tcp().flags & others) == 0 && tcp().length == 0;
}

}  // namespace tcplab::capture
