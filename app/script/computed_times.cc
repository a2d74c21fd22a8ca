#include "app/script/computed_times.hh"

namespace tcplab::app {

namespace {

// A script keeps a time as a number of seconds, which changes its nanoseconds by rounding.
constexpr base::nanoseconds kRounding{100};

}  // namespace

void ComputedTimes::add(const ComputedTime& time) { times_[time.on_time] = time; }

std::optional<ComputedTime> ComputedTimes::find(base::nanoseconds on_time) const {
  const auto found = times_.lower_bound(on_time - kRounding);
  if (found == times_.end() || found->first > on_time + kRounding) return std::nullopt;
  return found->second;
}

}  // namespace tcplab::app
