// Describes a decoded frame: as tcpdump(8) prints it, and as the values of a Packet event.
#pragma once

#include <optional>
#include <string>

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
