// A decoded frame in words: as tcpdump(8) would print it, and as the values of a Packet event.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

/// What to subtract from a segment's numbers so that a person can read them: the initial
/// sequence numbers of its sender and of the other side.
struct SequenceBases {
  std::optional<std::uint32_t> sequence;
  std::optional<std::uint32_t> acknowledgment;
};

/// Remembers the initial sequence number of each direction that it is shown a SYN of. A direction
/// first seen in its middle counts from there, as 1.
class InitialSequences {
public:
  /// To be called for every TCP frame, in order; the bases to describe it with.
  SequenceBases note(const DecodedFrame& frame);
  /// The bases to describe a frame with that says nothing of its sender: it is forged.
  SequenceBases recall(const DecodedFrame& frame) const;

private:
  SequenceBases bases(const FlowKey& connection) const;

  std::unordered_map<FlowKey, std::uint32_t, FlowKeyHash> initial_;
};

/// "S.", "F.", "." as tcpdump writes TCP's flags; "none" without any.
std::string tcp_flags(std::uint16_t flags);

/// The segment's source and destination; nothing for a frame without TCP.
std::optional<FlowKey> flow_of(const DecodedFrame& frame);

/// "Flags [S.], seq 0, ack 1, win 65160, options [mss 1460,wscale 7], length 0",
/// "Request who-has 10.0.0.2 tell 10.0.0.1", "host 10.0.0.2 unreachable", and what is malformed.
std::string summarize(const DecodedFrame& frame, const SequenceBases& bases = {});

/// Fills protocol, source, destination, flags, sequence and acknowledgment (as in the header),
/// window, length and summary (relative to the bases).
Packet describe(const DecodedFrame& frame, const SequenceBases& bases = {});

}  // namespace tcplab::capture
