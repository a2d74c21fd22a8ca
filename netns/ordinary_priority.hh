// For calls in which the kernel waits for another process without sleeping. At a real-time priority
// (sched(7)), such a call keeps that process, and every other program, off this processor until the
// limit of real-time processes: sched_rt_runtime_us, 0.95 s.
#pragma once

#include <sched.h>

namespace tcplab::netns {

/// Gives up a real-time priority of the calling thread while it lives.
class OrdinaryPriority {
public:
  OrdinaryPriority() : policy_(::sched_getscheduler(0)) {
    ::sched_getparam(0, &parameter_);
    if (is_real_time()) set(SCHED_OTHER | (policy_ & SCHED_RESET_ON_FORK), {});
  }
  ~OrdinaryPriority() {
    if (is_real_time()) set(policy_, parameter_);
  }
  OrdinaryPriority(const OrdinaryPriority&) = delete;
  OrdinaryPriority& operator=(const OrdinaryPriority&) = delete;

private:
  bool is_real_time() const { return parameter_.sched_priority > 0; }
  static void set(int policy, const sched_param& parameter) {
    ::sched_setscheduler(0, policy, &parameter);  // a process may lower its own priority
  }

  int policy_;
  sched_param parameter_{};
};

}  // namespace tcplab::netns
