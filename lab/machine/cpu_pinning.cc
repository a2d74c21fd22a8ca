#include "lab/machine/cpu_pinning.hh"

#include <chrono>
#include <ctime>

namespace tcplab::lab {

namespace {

using namespace std::chrono_literals;

constexpr base::nanoseconds kMeasured = 500ms;
constexpr int kGreedyPercent = 80;
constexpr int kModestPercent = 50;
constexpr int kPriority = 1;

base::nanoseconds processor_time() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + base::nanoseconds(used.tv_nsec);
}

// Children of a run do not inherit the priority.
void set_policy(pid_t process, int policy, int priority) {
  const sched_param parameter{.sched_priority = priority};
  ::sched_setscheduler(process, policy, &parameter);  // best effort, see the header
}

}  // namespace

CpuPinning::CpuPinning() {
  if (::sched_getaffinity(0, sizeof all_, &all_) != 0) return;
  const int here = ::sched_getcpu();
  if (here == -1) return;
  CPU_ZERO(&own_);
  CPU_SET(here, &own_);
  take_processor();
}

void CpuPinning::take_processor() {
  ::sched_setaffinity(0, sizeof own_, &own_);
  set_priority();
}

void CpuPinning::set_priority() {
  if (is_greedy_)
    set_policy(0, SCHED_OTHER | SCHED_RESET_ON_FORK, 0);
  else
    set_policy(0, SCHED_RR | SCHED_RESET_ON_FORK, kPriority);
}

void CpuPinning::give_way(base::Instant now) {
  const base::nanoseconds passed = now - measured_;
  if (passed < kMeasured) return;
  const base::nanoseconds used = processor_time();
  const bool is_first = measured_ == base::Instant{};
  const auto percent = 100 * (used - used_) / passed;
  measured_ = now;
  used_ = used;
  if (is_first) return;
  const bool was_greedy = is_greedy_;
  is_greedy_ = percent >= (was_greedy ? kModestPercent : kGreedyPercent);
  if (is_greedy_ != was_greedy && !suspended_) set_priority();
}

void CpuPinning::settle(pid_t program) const { set_policy(program, SCHED_BATCH, 0); }

void CpuPinning::suspend(bool flooded) {
  if (flooded == suspended_) return;
  suspended_ = flooded;
  if (!flooded) return take_processor();
  set_policy(0, SCHED_OTHER | SCHED_RESET_ON_FORK, 0);
  ::sched_setaffinity(0, sizeof all_, &all_);
}

}  // namespace tcplab::lab
