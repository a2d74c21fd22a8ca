// Latencies as JSON. docs/schema/latency.schema.json describes it.
#pragma once

#include <string>

#include "reports/latency/run_latency.hh"

namespace tcplab::reports {

/// Returns the document of `tcplab show --latency --json`. Durations are in nanoseconds; "t" is a
/// time of the run's events.
std::string latency_json(const RunLatency& latency);

}  // namespace tcplab::reports
