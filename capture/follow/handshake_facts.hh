// Facts about the SYNs and SYN,ACKs of a captured connection, also of those that come after its
// handshake. Pure.
#pragma once

#include "capture/follow/end_facts.hh"
#include "capture/follow/seen_segment.hh"

namespace tcplab::capture {

/// Notes a segment that is no RST. Returns true if it is a stray SYN: the connection was open.
bool note_handshake(const SeenSegment& seen, FactsOfEnds& ends);

/// Notes a RST. Returns true if it refuses a stray SYN, and not the connection.
bool note_refused_stray(const SeenSegment& reset, FactsOfEnds& ends);

}  // namespace tcplab::capture
