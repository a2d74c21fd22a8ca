#include "reports/latency/latency_table.hh"

#include <algorithm>
#include <cmath>

#include "base/error.hh"

namespace tcplab::reports {

namespace {

using base::nanoseconds;

constexpr nanoseconds kBlocked = std::chrono::milliseconds(1);

std::string result_of(const capture::Call& call) {
  if (call.result == -1) return base::errno_name(call.error);
  return call.result == 0 ? "0" : "ok";
}

}  // namespace

nanoseconds LatencyTable::Row::percentile(double share) const {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1].span;
}

void LatencyTable::add(base::Instant at, const capture::Call& call, std::uint64_t event) {
  const capture::TrackedCallPointer tracked = tracker_.note(call, at).call;
  if (call.phase != capture::CallPhase::leave) return;
  const nanoseconds span = at - call.entered;
  const bool has_blocked = tracked->was_entered && span >= kBlocked;
  samples_[{call.call, result_of(call), has_blocked}].push_back({span, at, call.pid, event});
}

std::vector<LatencyTable::Row> LatencyTable::rows() const {
  std::vector<Row> rows;
  for (const auto& [key, samples] : samples_) {
    rows.push_back({key, samples});
    std::ranges::sort(rows.back().sorted, {}, &Sample::span);
  }
  std::ranges::sort(rows, std::greater{}, [](const Row& row) { return row.slowest().span; });
  return rows;
}

}  // namespace tcplab::reports
