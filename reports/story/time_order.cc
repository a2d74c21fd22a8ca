#include "reports/story/time_order.hh"

#include <algorithm>
#include <utility>

namespace tcplab::reports {

namespace {

constexpr std::size_t kMostWaiting = 2048;
// A frame that takes longer than this was held, or the wire was stopped.
constexpr std::chrono::milliseconds kHeld(1);

/// Returns whether an earlier event says that this frame was held. Both events have the time when
/// it was sent; the second belongs where the frame was delivered, however soon that was.
bool was_held(const TimeOrder::Events& events, const capture::Event& event) {
  const auto* packet = std::get_if<capture::Packet>(&event.body);
  if (packet == nullptr || !packet->delivered) return false;
  const auto [first, last] = events.equal_range(event.at);
  return std::any_of(first, last, [packet](const auto& other) {
    const auto* before = std::get_if<capture::Packet>(&other.second.body);
    return before != nullptr && before->frame == packet->frame && !before->delivered;
  });
}

}  // namespace

capture::Instant place_of(const capture::Event& event) {
  const auto* packet = std::get_if<capture::Packet>(&event.body);
  if (packet == nullptr || !packet->delivered) return event.at;
  return *packet->delivered - packet->sent > kHeld ? *packet->delivered : event.at;
}

void TimeOrder::add(const capture::Event& event) {
  capture::Event placed = event;
  if (was_held(events_, event)) placed.at = *std::get<capture::Packet>(event.body).delivered;
  events_.emplace(place_of(placed), std::move(placed));
}

bool TimeOrder::is_due() const {
  if (events_.empty()) return false;
  return events_.size() > kMostWaiting ||
         events_.rbegin()->first - events_.begin()->first > lateness_;
}

capture::Event TimeOrder::take() { return std::move(events_.extract(events_.begin()).mapped()); }

}  // namespace tcplab::reports
