// The state diagram of RFC 9293 figure 5, drawn where the figure has its states, with the edges lit
// that were seen. Scripts move each host's token to its state.
#pragma once

#include <functional>
#include <string>

#include "reports/html/edges.hh"

namespace tcplab::html {

/// What to say of an edge besides its states; empty: nothing.
using EdgeNote = std::function<std::string(const StatePair&)>;

std::string diagram(const EdgeSet& seen, const EdgeNote& note = {});

}  // namespace tcplab::html
