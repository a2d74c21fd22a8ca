// Plots as JSON, for the script of a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "reports/plots/flow_plot.hh"

namespace tcplab::plots {

/// Returns a list of objects. Times are nanoseconds since `start`; lists of numbers begin with the
/// number of the event and its time:
///   segments [event, t, begin, end, kind, is_lost]; kind: 0 first, 1 again, 2 probe
///   acks     [event, t, number, edge, begin and end of each SACK range ...]
///   flight   [event, t, bytes]
///   rtt      [event, t, nanoseconds]
///   kernel   [event, t, cwnd, ssthresh, window, srtt, rto]: bytes, nanoseconds
nlohmann::ordered_json plots_json(const std::vector<FlowPlot>& plots, Instant start);

}  // namespace tcplab::plots
