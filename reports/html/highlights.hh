// Which steps of a run matter most: the lines of its short version.
#pragma once

#include <vector>

#include "reports/html/page_run.hh"

namespace tcplab::html {

/// Returns the indices of the steps that matter, most important first. Steps that say little by
/// themselves are left out: hosts that start, pure ACKs, ARP, pauses, expectations that were met.
/// The more often a step resembles earlier ones, the less it matters.
std::vector<std::size_t> highlights(const PageRun& page);

}  // namespace tcplab::html
