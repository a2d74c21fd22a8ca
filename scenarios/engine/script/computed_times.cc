#include "scenarios/engine/script/computed_times.hh"

namespace tcplab::engine {

namespace {

// A script keeps a time as a number of seconds, which changes its nanoseconds by rounding.
constexpr base::nanoseconds kRounding{100};

}  // namespace

void ComputedTimes::add(base::nanoseconds on_time, base::nanoseconds if_late) {
  if (if_late != on_time) if_late_[on_time] = if_late;
}

std::optional<base::nanoseconds> ComputedTimes::if_late(base::nanoseconds on_time) const {
  const auto found = if_late_.lower_bound(on_time - kRounding);
  if (found == if_late_.end() || found->first > on_time + kRounding) return std::nullopt;
  return found->second;
}

}  // namespace tcplab::engine
