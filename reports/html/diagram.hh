// Draws the state diagram of RFC 9293 figure 5, with the seen edges highlighted. The script moves
// each host's token to its state.
#pragma once

#include <functional>
#include <string>

#include "reports/html/edges.hh"

namespace tcplab::html {

/// Returns more text for an edge's tooltip; empty if none.
using EdgeNote = std::function<std::string(const StatePair&)>;

std::string diagram(const EdgeSet& seen, const EdgeNote& note = {});

}  // namespace tcplab::html
