#include "capture/follow/twice_seen.hh"

#include <string_view>

namespace tcplab::capture {

bool TwiceSeen::is_again(Bytes frame, std::int64_t at, std::int64_t longest) {
  const std::string_view octets(reinterpret_cast<const char*>(frame.data()), frame.size());
  const std::size_t hash = std::hash<std::string_view>{}(octets);
  for (Seen& seen : seen_) {
    if (seen.is_paired || seen.hash != hash || seen.size != frame.size()) continue;
    seen.is_paired = true;
    if (at - seen.at < longest) return true;
  }
  seen_[next_++ % seen_.size()] = {hash, frame.size(), at, false};
  return false;
}

CapturedTwice::Verdict CapturedTwice::note(const DecodedFrame& frame, Sighting sighting) {
  const TcpSegment& tcp = *frame.tcp;
  // Acknowledgments that are repeated are the same, and each is another: RFC 5681 section 2.
  const bool is_told_apart = frame.ip->identification != 0 || tcp.length > 1 ||
                             tcp.has(TcpFlags::kSyn) || tcp.has(TcpFlags::kFin);
  if (is_told_apart) ++(sighting == Sighting::copy ? copies_ : new_);
  if (sighting != Sighting::copy) return Verdict::new_segment;
  if (copies_ > 0 && copies_ * 2 >= new_) return Verdict::twice;
  return is_told_apart ? Verdict::copy : Verdict::new_segment;
}

}  // namespace tcplab::capture
