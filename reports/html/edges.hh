// Which changes of state were seen: the edges of the state diagram that a run has gone along.
#pragma once

#include <set>
#include <utility>

#include "capture/event/event.hh"

namespace tcplab::html {

using StatePair = std::pair<capture::TcpState, capture::TcpState>;

/// A change that power took is none of TCP's: the connection did not close, it ceased to be.
class EdgeSet {
public:
  void add(const capture::State& state) {
    if (state.cause != capture::StateCause::power) edges_.insert({state.from, state.to});
  }
  bool contains(const StatePair& edge) const { return edges_.contains(edge); }
  /// Removes it; false where it was not there.
  bool take(const StatePair& edge) { return edges_.erase(edge) != 0; }
  void add(const EdgeSet& other) { edges_.insert(other.edges_.begin(), other.edges_.end()); }
  const std::set<StatePair>& all() const { return edges_; }

private:
  std::set<StatePair> edges_;
};

}  // namespace tcplab::html
