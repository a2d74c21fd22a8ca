// Collects facts about how a captured connection ended: FINs, the first RST, and what came after
// them. Pure; bounded memory.
#pragma once

#include <cstdint>

#include "capture/follow/end_facts.hh"
#include "capture/follow/reset_trigger.hh"
#include "capture/follow/seen_segment.hh"
#include "capture/follow/which_end.hh"

namespace tcplab::capture {

struct EndingFacts {
  bool closed_at_once = false;
  bool reset_after_opening = false;  // of a window that had been closed
  bool reset_after_over = false;     // after both ends had closed
  bool data_after_reset = false;     // from the end that received it
  bool reset_has_ack = false;
  bool reset_acknowledges_unseen = false;  // it has octets that no frame of the capture has
  WhichEnd replied_last;                   // the end that sent data last before any reset
  std::int64_t fin_at = 0;                 // of the first FIN; nanoseconds since 1970; 0 if none
  std::int64_t reset_at = 0;               // of the reset, likewise
  ResetTrigger reset_trigger;              // what the reset answers

  /// Returns the time from the first FIN to the reset, in nanoseconds.
  std::int64_t reset_delay() const { return reset_at - fin_at; }
};

class EndingCollector {
public:
  /// Notes a segment that is no RST, after note_windows().
  void note(const SeenSegment& seen, EndFacts& sender);
  /// Notes a RST that ends the connection, or follows the one that did; `trigger` is what it
  /// answers.
  void note_reset(const SeenSegment& reset, const ResetTrigger& trigger, FactsOfEnds& ends);

  const EndingFacts& facts() const { return facts_; }

private:
  struct Reset {
    WhichEnd by;
    std::uint32_t sequence = 0;
  };

  void note_data(const SeenSegment& seen, EndFacts& sender);
  void note_fin(const SeenSegment& seen, EndFacts& sender);

  EndingFacts facts_;
  Reset reset_;                // by no end if there was none
  WhichEnd window_opened_by_;  // the sender of the last segment, if that did
  bool is_over_ = false;       // both ends have closed
};

}  // namespace tcplab::capture
