// How long calls took: distributions as DTrace's quantize() and bpftrace's hist() print them, with
// percentiles. Blocked and running calls are apart: a call that waits for the network says nothing
// about one that only copies bytes.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::reports {

/// Counts durations in powers of two of a nanosecond, and keeps them all for percentiles.
class LatencyTable {
public:
  struct Sample {
    base::nanoseconds span{};
    base::Instant at{};
    int process = 0;
  };

  /// Counts a call that has returned at `at`.
  void add(base::Instant at, const capture::Call& call);

  /// Returns a table for each call and result, the slowest first; empty without calls. Times of
  /// outliers count from `start`.
  std::string text(base::Instant start) const;

private:
  struct Key {
    std::string call;
    std::string result;        // "ok", "0", or the name of the errno
    bool has_blocked = false;  // it took at least 1 ms
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::vector<Sample>> samples_;
};

}  // namespace tcplab::reports
