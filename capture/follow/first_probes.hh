// Finds the probes that a capture begins with. They look like plain ACKs, because the capture lacks
// the octet before them: a later segment shows what they were. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "capture/follow/sequence_tracker.hh"

namespace tcplab::capture {

/// Segments that a later one shows to have been probes: the capture begins with them.
struct FirstProbes {
  std::size_t end = 0;
  std::uint32_t count = 0;  // without the segment that is read
  SegmentTrait kind = SegmentTrait::keepalive_probe;
};

/// Of the two ends of a connection.
using SequenceTrackers = std::array<SequenceTracker, 2>;

/// Each probe that is found corrects the SND.NXT of its sender's tracker.
class FirstProbeFinder {
public:
  /// Takes the next segment, before the trackers do. Returns the probes that its numbers show.
  std::optional<FirstProbes> find(const SegmentHeader& segment, std::size_t sender,
                                  SequenceTrackers& trackers);
  /// Takes the same segment again, which is no RST, after its sender's tracker. Returns the probes
  /// of its sender if it is one, too: `pause` nanoseconds after the sender's last segment, which
  /// left the numbers `before`.
  std::optional<FirstProbes> find_repeated(const SegmentHeader& segment, std::size_t sender,
                                           std::int64_t pause, const SequenceVariables& before,
                                           SequenceTrackers& trackers);

private:
  struct End {
    std::uint32_t segments = 0;
    std::uint32_t others_segments = 0;  // of the other end, when this one spoke last
    std::optional<std::uint32_t> echo;  // TSecr of its last segment (RFC 7323)
  };

  bool is_probe(const SegmentHeader& segment, std::size_t sender, std::int64_t pause,
                const SequenceVariables& before, const SequenceTrackers& trackers) const;
  bool repeats_itself(const SegmentHeader& segment, std::size_t sender, std::int64_t pause,
                      const SequenceVariables& before) const;

  std::array<End, 2> ends_;
};

}  // namespace tcplab::capture
