// Describes a failed expectation: the line of the script, what it expected, what was seen, the
// nearest miss, and a ladder of the last events.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "capture/event/event.hh"
#include "reports/story/earlier_events.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct FailureView {
  Style style{};
  std::optional<capture::Instant> start{};  // start of the run; if empty, the first event is at 0 s
  const EarlierEvents* earlier = nullptr;   // the events before the last ones
};

/// Returns the description, ending with a line feed. `last_events` may have any order. If it
/// contains the run's RunStart and HostUp events, times count from the start of the run, and the
/// hosts are in their usual order with their addresses.
std::string describe_failure(const capture::Verdict& verdict,
                             std::span<const capture::Event> last_events,
                             const FailureView& view = {});

}  // namespace tcplab::reports
