// Events in order of time. They arrive nearly so: what a program says of its calls comes through
// a pipe, a little after the frames that the calls caused. A short, bounded wait mends that.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>

#include "capture/event/event.hh"

namespace tcplab::reports {

class TimeOrder {
public:
  using Events = std::multimap<capture::Instant, capture::Event>;

  void add(const capture::Event& event);

  /// True when the oldest one should wait no longer: younger ones are so much younger, or so many.
  bool is_due() const;
  std::size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  capture::Instant oldest() const { return events_.begin()->first; }
  capture::Event take();

  /// What waits, oldest first, for looking ahead; an element may be taken out.
  Events& waiting() { return events_; }

private:
  Events events_;
};

/// When it belongs on the timeline: a frame that was held belongs where it was delivered.
capture::Instant place_of(const capture::Event& event);

}  // namespace tcplab::reports
