// What programs have written on standard error, for the report of a failed expectation.
#pragma once

#include <vector>

#include "capture/event/event.hh"
#include "scenarios/engine/lab/timeline.hh"
#include "scenarios/engine/script/cursors.hh"

namespace tcplab::engine {

/// Returns the last lines, at most 10, that each program has written on standard error and that no
/// expectation has matched, not even in part. Leaves out what the timeline has as events: dnc's
/// messages about failed calls, "dnc: read: Connection reset by peer", and its answers to SIGUSR1,
/// "dnc: state: ...".
std::vector<capture::Verdict::Errors> unmatched_errors(Timeline& timeline, const Cursors& cursors);

}  // namespace tcplab::engine
