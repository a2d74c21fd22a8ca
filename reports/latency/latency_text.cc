#include "reports/latency/latency_text.hh"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using base::nanoseconds;
using Row = LatencyTable::Row;

constexpr int kBarWidth = 40;
constexpr std::size_t kOutliers = 3;  // that are named

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

std::string percentiles(const Row& row) {
  if (row.sorted.size() == 1)
    return fmt::format("1 call, {}\n", base::describe(row.slowest().span));
  return fmt::format("{} calls, p50 {}, p90 {}, p99 {}, max {}\n", row.sorted.size(),
                     base::describe(row.percentile(0.5)), base::describe(row.percentile(0.9)),
                     base::describe(row.percentile(0.99)), base::describe(row.slowest().span));
}

std::string histogram(const Row& row) {
  std::map<int, std::size_t> counts;
  std::size_t most = 0;
  for (const LatencyTable::Sample& sample : row.sorted)
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
std::string outliers(const Row& row, base::Instant start) {
  std::string text = "  slowest:";
  const std::size_t count = std::min(kOutliers, row.sorted.size());
  for (std::size_t i = 0; i < count; ++i) {
    const LatencyTable::Sample& sample = row.sorted[row.sorted.size() - 1 - i];
    text +=
        fmt::format("{} {} in process {}, which returned at {}", i == 0 ? "" : ";",
                    base::describe(sample.span), sample.process, base::describe(sample.at - start));
  }
  return text + "\n";
}

}  // namespace

std::string latency_text(const LatencyTable& table, base::Instant start) {
  std::string text;
  for (const Row& row : table.rows()) {
    text += fmt::format("{} = {}, {}: ", printable(row.key.call), row.key.result,
                        row.key.has_blocked ? "blocked" : "at once") +
            percentiles(row);
    if (row.sorted.size() > 1) text += histogram(row);
    if (row.key.has_blocked) text += outliers(row, start);
  }
  return text;
}

}  // namespace tcplab::reports
