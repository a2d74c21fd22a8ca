#include "capture/follow/probe_facts.hh"

namespace tcplab::capture {

void note_windows(const SegmentReading& reading, EndFacts& sender) {
  if (reading.closes_window) {
    ++sender.rare.edit().windows_closed;
    sender.rare.edit().window_is_closed = true;
  }
  if (reading.opens_window && sender.rare->window_is_closed) {
    sender.rare.edit().window_is_closed = false;
    sender.rare.edit().window_opened = true;
  }
}

void note_probe(const SegmentReading& reading, FactsOfEnds& ends) {
  EndFacts& self = ends.at(reading.sender);
  EndFacts& other = ends.at(1 - reading.sender);
  if (other.rare->keepalives_waiting > 0) {
    ++other.rare.edit().keepalives_answered;
    other.rare.edit().keepalives_waiting = 0;
  }
  if (reading.traits.has(SegmentTrait::window_probe)) ++self.rare.edit().window_probes;
  if (!reading.traits.has(SegmentTrait::keepalive_probe)) return;
  if (other.rare->window_opened) {
    ++self.rare.edit().probes_after_opening;
  } else {
    ++self.rare.edit().keepalives;
    ++self.rare.edit().keepalives_waiting;
  }
}

void note_first_probes(const FirstProbes& probes, FactsOfEnds& ends) {
  RareFacts& facts = ends.at(probes.end).rare.edit();
  if (probes.kind == SegmentTrait::window_probe) {
    facts.window_probes += probes.count;
  } else {
    facts.keepalives += probes.count;
    facts.keepalives_waiting += probes.count;
  }
}

}  // namespace tcplab::capture
