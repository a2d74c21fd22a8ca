#include "reports/explain/capture_clock.hh"

#include <algorithm>

namespace tcplab::reports {

namespace {

constexpr std::int64_t kOrder = 1'000'000;  // a NIC with several queues goes back by less
constexpr std::int64_t kBack = 60'000'000'000;
constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1'000'000'000;
constexpr std::size_t kMostStretches = 1'000'000;

}  // namespace

void CaptureClock::note(std::int64_t at) {
  if (ends_.empty()) {
    ends_.push_back(at);
    first_at_ = last_at_ = previous_at_ = at;
  }
  const std::int64_t back = previous_at_ - at;
  if (back >= kOrder) {
    ++returns_;
    farthest_return_ = std::max(farthest_return_, back);
  }
  if (-back >= kDay) {
    ++jumps_;
    farthest_jump_ = std::max(farthest_jump_, -back);
  }
  if ((back >= kBack || -back >= kDay) && ends_.size() < kMostStretches) ends_.push_back(at);
  ends_.back() = std::max(ends_.back(), at);
  previous_at_ = at;
  first_at_ = std::min(first_at_, at);
  last_at_ = std::max(last_at_, at);
}

}  // namespace tcplab::reports
