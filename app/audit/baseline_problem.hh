// Why a run without a failure is no basis for an audit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::app {

/// Returns why this run is no basis for an audit, in one line: what is wrong, and what to do. Empty
/// if nothing is. `port` is the server's, 0 if it is not known.
std::string problem_of(const std::vector<capture::Event>& events, std::uint16_t port);

}  // namespace tcplab::app
