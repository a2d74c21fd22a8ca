// The seam between a run and everything that shows it: events in, one at a time, as they come.
// A report keeps bounded memory, asks no clock and knows no kernel: what it shows was in the
// events. One file a format.
#pragma once

#include "capture/event/event.hh"

namespace tcplab::reports {

class Report {
public:
  virtual ~Report() = default;

  virtual void event(const capture::Event& event) = 0;
  /// No more events will come. Called once.
  virtual void finish() {}
};

}  // namespace tcplab::reports
