#include "lab/frames/flood_meter.hh"

#include <chrono>

namespace tcplab::lab {

using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kWindow = 10ms;
constexpr std::size_t kFloodStarts = 200;  // segments in a window: 20,000 a second
constexpr std::size_t kFloodEnds = 50;

}  // namespace

bool FloodGauge::count(base::Instant at, std::size_t segments) {
  if (at - window_ >= kWindow) {
    flooded_ = flooded_ && segments_ >= kFloodEnds && at - window_ < 2 * kWindow;
    window_ = at;
    segments_ = 0;
  }
  segments_ += segments;
  if (segments_ >= kFloodStarts) flooded_ = true;
  return flooded_;
}

void FloodMeter::count(const std::string& from, const std::string& to, const netns::Frame& frame) {
  Counted& counted = counted_[{from, to}];
  if (counted.frames++ == 0) counted.first = frame.sent;
  counted.bytes += frame.bytes.size();
  counted.last = frame.sent;
}

void FloodMeter::report() {
  for (const auto& [direction, counted] : std::exchange(counted_, {})) {
    timeline_.append(counted.first, capture::Flood{.from = direction.first,
                                                   .to = direction.second,
                                                   .frames = counted.frames,
                                                   .bytes = counted.bytes,
                                                   .span = counted.last - counted.first});
  }
}

}  // namespace tcplab::lab
