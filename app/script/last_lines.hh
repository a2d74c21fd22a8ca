// What programs have written last, for the report of a failed expectation.
#pragma once

#include <vector>

#include "app/script/cursors.hh"
#include "capture/event/event.hh"
#include "lab/record/timeline.hh"

namespace tcplab::app {

/// Returns the last lines, at most 10, that each program has written on each stream and that no
/// expectation has matched, not even in part. A line has at most 400 bytes. Leaves out what the
/// timeline has as events: dnc's standard output, its messages about failed calls, "dnc: read:
/// Connection reset by peer", and its answers to SIGUSR1, "dnc: state: ...".
std::vector<capture::Verdict::LastLines> unmatched_lines(lab::Timeline& timeline,
                                                         const Cursors& cursors);

}  // namespace tcplab::app
