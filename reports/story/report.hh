// The interface of everything that shows a run: it takes events one at a time. A report uses
// bounded memory, and reads neither clock nor kernel: everything it shows is in the events. There
// is one file for each format.
#pragma once

#include "capture/event/event.hh"

namespace tcplab::reports {

class Report {
public:
  virtual ~Report() = default;

  virtual void event(const capture::Event& event) = 0;
  /// Called once, after the last event.
  virtual void finish() {}
};

}  // namespace tcplab::reports
