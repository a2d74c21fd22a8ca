// Latencies as text: distributions as DTrace's quantize() and bpftrace's hist() print them, with
// percentiles.
#pragma once

#include <string>

#include "reports/latency/latency_table.hh"

namespace tcplab::reports {

/// Returns a histogram for each call and result, in powers of two of a nanosecond, the slowest
/// first; empty without calls. Times of outliers count from `start`.
std::string latency_text(const LatencyTable& table, base::Instant start);

}  // namespace tcplab::reports
