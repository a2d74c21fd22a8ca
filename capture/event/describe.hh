// Describes a decoded frame: as tcpdump(8) prints it, and as the values of a Packet event.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

/// What to subtract from a segment's numbers to make them relative: the initial sequence numbers of
/// its sender and of its receiver.
struct SequenceBases {
  std::optional<std::uint32_t> sequence;
  std::optional<std::uint32_t> acknowledgment;
};

/// Remembers the initial sequence number of each direction. A direction whose SYN was not seen
/// begins with its first segment, as 1.
class InitialSequences {
public:
  /// Takes every TCP frame, in order; returns the bases to describe it with.
  SequenceBases note(const DecodedFrame& frame);
  /// Returns the bases for a forged frame, and remembers nothing of it.
  SequenceBases recall(const DecodedFrame& frame) const;

private:
  SequenceBases bases(const FlowKey& connection) const;

  std::unordered_map<FlowKey, std::uint32_t, FlowKeyHash> initial_;
};

/// Returns TCP's flags as tcpdump writes them: "S.", "F.", "."; "none" without any.
std::string tcp_flags(std::uint16_t flags);

/// Returns the segment's source and destination; nothing for a frame without TCP.
std::optional<FlowKey> flow_of(const DecodedFrame& frame);

/// Returns "Flags [S.], seq 0, ack 1, win 65160, options [mss 1460,wscale 7], length 0",
/// "Request who-has 10.0.0.2 tell 10.0.0.1", "host 10.0.0.2 unreachable"; also says what is
/// malformed.
std::string summarize(const DecodedFrame& frame, const SequenceBases& bases = {});

/// Fills protocol, source, destination, flags, sequence and acknowledgment (as in the header),
/// window, length and summary (relative to the bases).
Packet describe(const DecodedFrame& frame, const SequenceBases& bases = {});

}  // namespace tcplab::capture
