#include "lab/machine/processor_waits.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

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

RunDelays run_delays_of_others(const std::string& process) {
  RunDelays delays;
  std::error_code gone;
  std::filesystem::directory_iterator threads("/proc/" + process + "/task", gone);
  for (; threads != std::filesystem::directory_iterator(); threads.increment(gone))
    if (const std::string thread = threads->path().filename().string(); thread != process)
      delays[thread] = run_delay(process + "/task/" + thread);
  return delays;
}

base::nanoseconds ProcessorWaits::growth(const RunDelays& delays) const {
  base::nanoseconds waited{};
  for (const auto& [thread, delay] : delays) {
    const auto known = delays_.find(thread);
    const base::nanoseconds before = known == delays_.end() ? base::nanoseconds{} : known->second;
    waited += std::max(delay - before, base::nanoseconds{});
  }
  return waited;
}

void ProcessorWaits::sample(base::Instant now, const RunDelays& first, const RunDelays& others) {
  const base::nanoseconds waited = growth(first);
  total_ += std::min(waited + growth(others), now - sampled_);
  starved_ += std::min(waited, now - sampled_);
  sampled_ = now;
  delays_ = first;
  delays_.insert(others.begin(), others.end());
  if (now - window_start_ >= kWindow) close_window(now);
}

void ProcessorWaits::close_window(base::Instant now) {
  is_starved_ = 2 * starved_ > now - window_start_;
  window_start_ = now;
  starved_ = {};
}

}  // namespace tcplab::lab
