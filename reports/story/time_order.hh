// Sorts events by time. Calls arrive through a pipe, slightly later than the frames that they
// caused, so events wait here for a short, bounded time.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>

#include "capture/event/event.hh"

namespace tcplab::reports {

class TimeOrder {
public:
  using Events = std::multimap<capture::Instant, capture::Event>;
  static constexpr std::chrono::milliseconds kLateness{200};

  /// `lateness`: how long an event waits for those that arrive after it.
  explicit TimeOrder(std::chrono::milliseconds lateness = kLateness) : lateness_(lateness) {}

  void add(const capture::Event& event);

  /// Returns whether the oldest event has waited long enough, or too many events wait.
  bool is_due() const;
  std::size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  capture::Instant oldest() const { return events_.begin()->first; }
  capture::Event take();

  /// Returns the waiting events, oldest first. The caller may remove some.
  Events& waiting() { return events_; }

private:
  std::chrono::milliseconds lateness_;
  Events events_;
};

/// Returns the event's time on the timeline. For a held frame that is its delivery.
capture::Instant place_of(const capture::Event& event);

}  // namespace tcplab::reports
