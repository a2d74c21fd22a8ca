// How long calls took, by call and result. Blocked and running calls are apart: a call that waits
// for the network says nothing about one that only copies bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/follow/call_tracker.hh"

namespace tcplab::reports {

/// Collects the duration of each call, for percentiles: 32 bytes a call.
class LatencyTable {
public:
  struct Sample {
    base::nanoseconds span{};
    base::Instant at{};  // when the call returned
    int process = 0;
    std::uint64_t event = 0;  // the number of the event; 0 if it has none
  };

  struct Key {
    std::string call;
    std::string result;        // "ok", "0", or the name of the errno
    bool has_blocked = false;  // it slept: the event of its entry was recorded, and it took 1 ms
    auto operator<=>(const Key&) const = default;
  };

  struct Row {
    Key key;
    std::vector<Sample> sorted;  // by duration, the shortest first; not empty

    /// Returns the percentile by the nearest-rank method. `share` is above 0, at most 1.
    base::nanoseconds percentile(double share) const;
    const Sample& slowest() const { return sorted.back(); }
  };

  /// Counts a call that has returned at `at`. The entry of a traced call is an event only if the
  /// call blocks.
  void add(base::Instant at, const capture::Call& call, std::uint64_t event = 0);

  /// Returns a row for each call and result, the slowest first; empty without calls.
  std::vector<Row> rows() const;

private:
  std::map<Key, std::vector<Sample>> samples_;
  capture::CallTracker tracker_;
};

}  // namespace tcplab::reports
