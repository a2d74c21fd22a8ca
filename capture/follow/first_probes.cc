#include "capture/follow/first_probes.hh"

namespace tcplab::capture {

namespace {

SegmentTrait kind_of_probe(std::optional<std::uint32_t> peer_window) {
  return peer_window == 0U ? SegmentTrait::window_probe : SegmentTrait::keepalive_probe;
}

}  // namespace

/// The peer's acknowledgment, or the prober's own RST, has the number after that of the probes.
std::optional<FirstProbes> FirstProbeFinder::find(const SegmentHeader& segment, std::size_t sender,
                                                  SequenceTrackers& trackers) {
  const std::size_t receiver = 1 - sender;
  const std::array<std::uint32_t, 2> counts = {ends_[0].segments, ends_[1].segments};
  ++ends_.at(sender).segments;
  if (segment.syn) return std::nullopt;
  if (segment.rst) {
    if (!trackers.at(sender).began_with_probes(segment.sequence)) return std::nullopt;
    const auto window = trackers.at(receiver).variables().window;
    return FirstProbes{sender, counts.at(sender), kind_of_probe(window)};
  }
  if (!segment.ack || !trackers.at(receiver).began_with_probes(segment.acknowledgment))
    return std::nullopt;
  return FirstProbes{receiver, counts.at(receiver), kind_of_probe(segment.window)};
}

std::optional<FirstProbes> FirstProbeFinder::find_repeated(const SegmentHeader& segment,
                                                           std::size_t sender, std::int64_t pause,
                                                           const SequenceVariables& before,
                                                           SequenceTrackers& trackers) {
  const bool is_found = is_probe(segment, sender, pause, before, trackers) &&
                        trackers.at(sender).began_with_probes(segment.sequence + 1);
  End& self = ends_.at(sender);
  self.others_segments = ends_.at(1 - sender).segments;
  if (segment.timestamps) self.echo = segment.timestamps->echo_reply;
  if (!is_found) return std::nullopt;
  const auto window = trackers.at(1 - sender).variables().window;
  return FirstProbes{sender, self.segments - 1, kind_of_probe(window)};
}

/// The same ACK once more is a probe if its sender has received nothing since. The first probe may
/// also come after the acknowledgment that has the number after its own.
bool FirstProbeFinder::is_probe(const SegmentHeader& segment, std::size_t sender,
                                std::int64_t pause, const SequenceVariables& before,
                                const SequenceTrackers& trackers) const {
  if (!segment.is_plain() || segment.length > 0) return false;
  const auto others = trackers.at(1 - sender).variables().acknowledgment;
  if (ends_.at(sender).segments == 1 && others == segment.sequence + 1) return true;
  return others != segment.sequence && repeats_itself(segment, sender, pause, before);
}

bool FirstProbeFinder::repeats_itself(const SegmentHeader& segment, std::size_t sender,
                                      std::int64_t pause, const SequenceVariables& before) const {
  constexpr std::int64_t kShortest = 200'000'000;  // Linux: TCP_RTO_MIN, the shortest probe timer
  const End& self = ends_.at(sender);
  if (!before.is_known || pause < kShortest) return false;
  if (self.others_segments != ends_.at(1 - sender).segments) return false;
  // A newer timestamp of the peer has arrived (RFC 7323 section 4.3).
  if (segment.timestamps && self.echo != segment.timestamps->echo_reply) return false;
  return segment.sequence == before.snd_nxt && before.acknowledgment == segment.acknowledgment &&
         before.window == segment.window;
}

}  // namespace tcplab::capture
