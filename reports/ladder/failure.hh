// What a script's author reads when an expectation fails: the line of the script, what it expected,
// what came instead, the nearest miss, and the last events of the hosts side by side.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "capture/event/event.hh"
#include "reports/story/segments.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct FailureView {
  Style style{};
  std::optional<capture::Instant> start{};  // of the run; else the first event's time counts as 0
  const Segments* before = nullptr;         // the segments of the run before the last events
};

/// `last_events` in any order. Where it also has the run's RunStart and HostUp events, the times
/// are the run's and the hosts stand in their usual order with their addresses. Ends with a line
/// feed.
std::string describe_failure(const capture::Verdict& verdict,
                             std::span<const capture::Event> last_events,
                             const FailureView& view = {});

}  // namespace tcplab::reports
