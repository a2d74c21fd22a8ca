// Facts about closed windows and about probes in a captured connection. Pure.
#pragma once

#include "capture/follow/end_facts.hh"
#include "capture/follow/segment_reading.hh"

namespace tcplab::capture {

/// Notes a segment that is no RST.
void note_windows(const SegmentReading& reading, EndFacts& sender);
/// Notes a segment that is no RST, after note_windows().
void note_probe(const SegmentReading& reading, FactsOfEnds& ends);
void note_first_probes(const FirstProbes& probes, FactsOfEnds& ends);

}  // namespace tcplab::capture
