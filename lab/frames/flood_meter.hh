// Recognizes a flood on the wire, and counts the frames of a flood that are not listed one by one.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "lab/record/timeline.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

/// Recognizes a flood by the number of segments in a short window. A frame is one segment, or as
/// many as a NIC with offloads would cut it into.
class FloodGauge {
public:
  /// Counts a frame of that many segments; returns true while the wire is flooded.
  bool count(base::Instant at, std::size_t segments = 1);

private:
  base::Instant window_{};
  std::size_t segments_ = 0;
  bool flooded_ = false;
};

class FloodMeter {
public:
  explicit FloodMeter(Timeline& timeline) : timeline_(timeline) {}

  /// Sees every frame; returns true while the wire is flooded.
  bool is_flooded(const netns::Frame& frame) {
    return gauge_.count(frame.sent, frame.offload.segments(frame.bytes.size()));
  }
  /// Counts a frame that is not listed.
  void count(const std::string& from, const std::string& to, const netns::Frame& frame);
  /// Puts what was counted since the last report on the timeline.
  void report();

private:
  struct Counted {
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
    base::Instant first{};
    base::Instant last{};
  };

  Timeline& timeline_;
  FloodGauge gauge_;
  std::map<std::pair<std::string, std::string>, Counted> counted_;  // by sender and receiver
};

}  // namespace tcplab::lab
