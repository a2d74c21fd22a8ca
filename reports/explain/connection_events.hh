// The events of a captured connection for a ladder or a page.
#pragma once

#include <vector>

#include "capture/event/event.hh"
#include "reports/explain/event_keeper.hh"
#include "reports/explain/followed_capture.hh"
#include "reports/explain/roles.hh"
#include "reports/story/segments.hh"

namespace tcplab::reports {

/// Returns the events: the two hosts, and the frames that were kept with the states that they
/// caused. A Flood event counts the frames of each direction that are left out between two others.
/// If the connection is open and silent when the capture ends, a Note says so. Times count from the
/// capture's first frame.
std::vector<capture::Event> events_of(const Followed& followed, const Roles& roles,
                                      std::int64_t first_at, std::int64_t ends_at);

/// Returns what each kept segment was, for a ladder that does not have those before it.
Segments segments_of(const Followed& followed);

}  // namespace tcplab::reports
