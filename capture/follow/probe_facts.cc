#include "capture/follow/probe_facts.hh"

namespace tcplab::capture {

void note_windows(const SegmentReading& reading, EndFacts& sender) {
  if (reading.closes_window) {
    ++sender.windows_closed;
    sender.window_is_closed = true;
  }
  if (reading.opens_window && sender.window_is_closed) {
    sender.window_is_closed = false;
    sender.window_opened = true;
  }
}

void note_probe(const SegmentReading& reading, FactsOfEnds& ends) {
  EndFacts& self = ends.at(reading.sender);
  EndFacts& other = ends.at(1 - reading.sender);
  if (other.keepalives_waiting > 0) ++other.keepalives_answered;
  other.keepalives_waiting = 0;
  if (reading.traits.has(SegmentTrait::window_probe)) ++self.window_probes;
  if (!reading.traits.has(SegmentTrait::keepalive_probe)) return;
  if (other.window_opened) {
    ++self.probes_after_opening;
  } else {
    ++self.keepalives;
    ++self.keepalives_waiting;
  }
}

void note_first_probes(const FirstProbes& probes, FactsOfEnds& ends) {
  EndFacts& facts = ends.at(probes.end);
  if (probes.kind == SegmentTrait::window_probe) {
    facts.window_probes += probes.count;
  } else {
    facts.keepalives += probes.count;
    facts.keepalives_waiting += probes.count;
  }
}

}  // namespace tcplab::capture
