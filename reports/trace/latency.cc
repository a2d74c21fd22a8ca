#include "reports/trace/latency.hh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

#include "base/error.hh"

namespace tcplab::reports {

namespace {

using base::nanoseconds;

constexpr int kBarWidth = 40;
constexpr nanoseconds kBlocked = std::chrono::milliseconds(1);
constexpr std::size_t kOutliers = 3;  // that are named

std::string result_of(const capture::Call& call) {
  if (call.result == -1) return base::errno_name(call.error);
  return call.result == 0 ? "0" : "ok";
}

/// "1 us", "64 us", "1 ms": the lower bound of a bucket, as bpftrace writes them.
std::string bound(int power) {
  constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
  auto value = std::ldexp(1.0, power);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

int bucket(nanoseconds span) {
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(span.count(), 1));
  return static_cast<int>(std::bit_width(count)) - 1;
}

/// `sorted` is not empty. The nearest-rank method.
template <typename Samples>
nanoseconds percentile(const Samples& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1].span;
}

std::string percentiles(const std::vector<LatencyTable::Sample>& sorted) {
  if (sorted.size() == 1) return fmt::format("1 call, {}\n", base::describe(sorted[0].span));
  return fmt::format("{} calls, p50 {}, p90 {}, p99 {}, max {}\n", sorted.size(),
                     base::describe(percentile(sorted, 0.5)),
                     base::describe(percentile(sorted, 0.9)),
                     base::describe(percentile(sorted, 0.99)), base::describe(sorted.back().span));
}

std::string histogram(const std::vector<LatencyTable::Sample>& samples) {
  std::map<int, std::size_t> counts;
  std::size_t most = 0;
  for (const LatencyTable::Sample& sample : samples)
    most = std::max(most, ++counts[bucket(sample.span)]);
  std::string text;
  for (int power = counts.begin()->first; power <= counts.rbegin()->first; ++power) {
    const std::size_t count = counts[power];
    text += fmt::format("  [{:>7}, {:>7}) {:>8} |{:<{}}|\n", bound(power), bound(power + 1), count,
                        std::string((count * kBarWidth + most - 1) / most, '@'), kBarWidth);
  }
  return text;
}

/// Names the slowest calls, so that a reader can find them in the trace.
std::string outliers(const std::vector<LatencyTable::Sample>& sorted, base::Instant start) {
  std::string text = "  slowest:";
  const std::size_t count = std::min(kOutliers, sorted.size());
  for (std::size_t i = 0; i < count; ++i) {
    const LatencyTable::Sample& sample = sorted[sorted.size() - 1 - i];
    text +=
        fmt::format("{} {} in process {}, which returned at {}", i == 0 ? "" : ";",
                    base::describe(sample.span), sample.process, base::describe(sample.at - start));
  }
  return text + "\n";
}

}  // namespace

void LatencyTable::add(base::Instant at, const capture::Call& call) {
  if (call.phase != capture::CallPhase::leave) return;
  const nanoseconds span = at - call.entered;
  samples_[{call.call, result_of(call), span >= kBlocked}].push_back({span, at, call.pid});
}

std::string LatencyTable::text(base::Instant start) const {
  std::vector<std::pair<Key, std::vector<Sample>>> tables(samples_.begin(), samples_.end());
  for (auto& [key, samples] : tables) std::ranges::sort(samples, {}, &Sample::span);
  std::ranges::sort(tables, std::greater{},
                    [](const auto& table) { return table.second.back().span; });
  std::string text;
  for (const auto& [key, samples] : tables) {
    text += fmt::format("{} = {}, {}: ", key.call, key.result,
                        key.has_blocked ? "blocked" : "at once") +
            percentiles(samples);
    if (samples.size() > 1) text += histogram(samples);
    if (key.has_blocked) text += outliers(samples, start);
  }
  return text;
}

}  // namespace tcplab::reports
