#include "lab/machine/processor_waits.hh"

#include <algorithm>
#include <fstream>

namespace tcplab::lab {

namespace {

constexpr base::nanoseconds kWindow = std::chrono::milliseconds(500);

}  // namespace

base::nanoseconds run_delay(const std::string& process) {
  std::ifstream file("/proc/" + process + "/schedstat");
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  file >> ran >> waited;
  return base::nanoseconds(waited);
}

void ProcessorWaits::sample(base::Instant now,
                            const std::map<std::string, base::nanoseconds>& delays) {
  base::nanoseconds waited{};
  for (const auto& [process, delay] : delays) {
    const auto known = delays_.find(process);
    const base::nanoseconds before = known == delays_.end() ? base::nanoseconds{} : known->second;
    waited += std::max(delay - before, base::nanoseconds{});
  }
  total_ += std::min(waited, now - sampled_);
  sampled_ = now;
  delays_ = delays;
  if (now - window_start_ >= kWindow) close_window(now);
}

void ProcessorWaits::close_window(base::Instant now) {
  is_starved_ = 2 * (total_ - total_before_) > now - window_start_;
  window_start_ = now;
  total_before_ = total_;
}

}  // namespace tcplab::lab
