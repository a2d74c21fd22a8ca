#include "reports/time_order.hh"

#include <utility>

namespace tcplab::reports {

namespace {

constexpr std::chrono::milliseconds kLateness(200);
constexpr std::size_t kMostWaiting = 2048;
// A frame that takes longer than this from NIC to NIC was held, or the wire was stopped.
constexpr std::chrono::milliseconds kHeld(1);

}  // namespace

capture::Instant place_of(const capture::Event& event) {
  const auto* packet = std::get_if<capture::Packet>(&event.body);
  if (packet == nullptr || !packet->delivered) return event.at;
  return *packet->delivered - packet->sent > kHeld ? *packet->delivered : event.at;
}

void TimeOrder::add(const capture::Event& event) { events_.emplace(place_of(event), event); }

bool TimeOrder::is_due() const {
  if (events_.empty()) return false;
  return events_.size() > kMostWaiting ||
         events_.rbegin()->first - events_.begin()->first > kLateness;
}

capture::Event TimeOrder::take() { return std::move(events_.extract(events_.begin()).mapped()); }

}  // namespace tcplab::reports
