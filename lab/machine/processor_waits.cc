#include "lab/machine/processor_waits.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tcplab::lab {

namespace {

constexpr base::nanoseconds kWindow = std::chrono::milliseconds(500);

ThreadTimes times_of(const std::string& schedstat) {
  std::ifstream file(schedstat);
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  file >> ran >> waited;
  return {base::nanoseconds(waited), base::nanoseconds(ran)};
}

}  // namespace

ThreadTimes first_thread(const std::string& process) {
  return times_of("/proc/" + process + "/schedstat");
}

TimesByThread other_threads(const std::string& process) {
  TimesByThread times;
  std::error_code gone;
  std::filesystem::directory_iterator threads("/proc/" + process + "/task", gone);
  for (; threads != std::filesystem::directory_iterator(); threads.increment(gone))
    if (const std::string thread = threads->path().filename().string(); thread != process)
      times[thread] = times_of(threads->path().string() + "/schedstat");
  return times;
}

/// Returns the times since the last sample. A thread that has ended takes nothing back.
ThreadTimes ProcessorWaits::growth(const std::string& thread, const ThreadTimes& times) const {
  const auto known = times_.find(thread);
  const ThreadTimes before = known == times_.end() ? ThreadTimes{} : known->second;
  return {std::max(times.waited - before.waited, base::nanoseconds{}),
          std::max(times.ran - before.ran, base::nanoseconds{})};
}

/// Returns the longest wait of one of the other threads for what is none of these threads.
base::nanoseconds ProcessorWaits::wait_of(const TimesByThread& first,
                                          const TimesByThread& others) const {
  base::nanoseconds ran{};
  for (const TimesByThread* threads : {&first, &others})
    for (const auto& [thread, times] : *threads) ran += growth(thread, times).ran;
  base::nanoseconds longest{};
  for (const auto& [thread, times] : others) {
    const ThreadTimes grown = growth(thread, times);
    longest = std::max(longest, grown.waited - (ran - grown.ran));
  }
  return longest;
}

void ProcessorWaits::sample(base::Instant now, const TimesByThread& first,
                            const TimesByThread& others) {
  base::nanoseconds waited{};
  for (const auto& [thread, times] : first) waited += growth(thread, times).waited;
  total_ += std::min(waited + wait_of(first, others), now - sampled_);
  starved_ += std::min(waited, now - sampled_);
  sampled_ = now;
  times_ = first;
  times_.insert(others.begin(), others.end());
  if (now - window_start_ >= kWindow) close_window(now);
}

void ProcessorWaits::close_window(base::Instant now) {
  is_starved_ = 2 * starved_ > now - window_start_;
  window_start_ = now;
  starved_ = {};
}

}  // namespace tcplab::lab
