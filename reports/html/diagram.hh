// Draws the state diagram of RFC 9293 figure 5, with the seen edges highlighted. The script moves
// each host's token to its state.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "capture/event/event.hh"

namespace tcplab::html {

using StatePair = std::pair<capture::TcpState, capture::TcpState>;

/// A set of edges. It omits changes by a loss of power, because these are not transitions of TCP.
class EdgeSet {
public:
  void add(const capture::State& state) {
    if (state.cause != capture::StateCause::power) edges_.insert({state.from, state.to});
  }
  bool contains(const StatePair& edge) const { return edges_.contains(edge); }
  /// Removes an edge. Returns false if it was not in the set.
  bool take(const StatePair& edge) { return edges_.erase(edge) != 0; }
  void add(const EdgeSet& other) { edges_.insert(other.edges_.begin(), other.edges_.end()); }
  const std::set<StatePair>& all() const { return edges_; }

private:
  std::set<StatePair> edges_;
};

/// Returns more text for an edge's tooltip; empty if none.
using EdgeNote = std::function<std::string(const StatePair&)>;

std::string diagram(const EdgeSet& seen, const EdgeNote& note = {});

}  // namespace tcplab::html
