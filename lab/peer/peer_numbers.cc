#include "lab/peer/peer_numbers.hh"

#include <algorithm>

#include "capture/follow/sequence_number.hh"

namespace tcplab::lab {

namespace {

using capture::is_before;
using capture::TcpFlags;

/// A RST has no octets: its number may be that of the segment that it refuses.
std::uint32_t octets_in(const capture::TcpSegment& segment) {
  if (segment.has(TcpFlags::kRst)) return 0;
  return octets_of(segment.length, segment.flags);
}

}  // namespace

void ReceivedOctets::take(std::uint32_t sequence, std::uint32_t octets) {
  if (octets == 0) return;
  ahead_.push_back({sequence, sequence + octets});
  const auto reaches = [this](const Range& range) { return !is_before(next_, range.begin); };
  for (auto found = std::ranges::find_if(ahead_, reaches); found != ahead_.end();
       found = std::ranges::find_if(ahead_, reaches)) {
    if (is_before(next_, found->end)) next_ = found->end;
    ahead_.erase(found);
  }
}

std::uint32_t octets_of(std::size_t length, std::uint16_t flags) {
  const auto control = [flags](std::uint16_t flag) { return (flags & flag) != 0 ? 1U : 0U; };
  return static_cast<std::uint32_t>(length) + control(TcpFlags::kSyn) + control(TcpFlags::kFin);
}

std::uint32_t PeerNumbers::rcv_nxt(bool all) const {
  if (!arrived_) return 0;
  return all ? arrived_->next() : expected_->next();
}

void PeerNumbers::sent(std::size_t length, std::uint16_t flags) {
  if ((flags & TcpFlags::kRst) == 0) snd_nxt_ += octets_of(length, flags);
}

bool PeerNumbers::arrived(const capture::TcpSegment& segment) {
  const std::uint32_t octets = octets_in(segment);
  if (!irs_ && segment.has(TcpFlags::kSyn) && !segment.has(TcpFlags::kRst)) {
    irs_ = segment.sequence;
    arrived_.emplace(segment.sequence);
    expected_.emplace(segment.sequence);
  }
  if (arrived_) arrived_->take(segment.sequence, octets);
  return octets > 0;
}

void PeerNumbers::expected(const capture::TcpSegment& segment) {
  if (expected_) expected_->take(segment.sequence, octets_in(segment));
}

}  // namespace tcplab::lab
