// What the earlier events of a run tell about its later ones, for a ladder that begins in the
// middle of a run.
#pragma once

#include <utility>

#include "audit/notice.hh"
#include "capture/event/event.hh"
#include "reports/story/segments.hh"

namespace tcplab::reports {

class EarlierEvents {
public:
  EarlierEvents() = default;
  /// Only the sequence numbers are known.
  explicit EarlierEvents(Segments segments) : segments_(std::move(segments)) {}

  /// Takes the events in the order of the timeline.
  void note(const capture::Event& event) {
    if (const auto* packet = std::get_if<capture::Packet>(&event.body)) segments_.describe(*packet);
    notices_.note(event);
    notices_.first(event);  // so that it does not count again
  }

  /// The sequence numbers, whose SYN may be among these events.
  const Segments& segments() const { return segments_; }
  /// The faults, and the programs that log their own calls.
  const audit::NoticeWatch& notices() const { return notices_; }

private:
  Segments segments_;
  audit::NoticeWatch notices_;
};

}  // namespace tcplab::reports
