#include "audit/retransmission_times.hh"

#include <algorithm>

#include "base/tcp_timeouts.hh"

namespace tcplab::audit {

namespace {

using base::nanoseconds;

constexpr int kMostTimeouts = 200;  // more never fit into a limit

/// The RTO before the last `count` timeouts doubled it.
nanoseconds undone(nanoseconds rto, std::uint32_t count, nanoseconds least) {
  for (; count > 0 && rto > least; --count) rto /= 2;
  return std::max(rto, least);
}

/// Whether a timeout that is due at `elapsed` is past the limit. Timers are late, by up to 12.5 %
/// (kernel/time/timer.c), and seldom by less than this.
bool is_over(nanoseconds elapsed, nanoseconds limit) {
  constexpr int kLate = 64;
  return elapsed + elapsed / kLate >= limit;
}

nanoseconds next(nanoseconds rto, nanoseconds highest) { return std::min(rto * 2, highest); }

}  // namespace

nanoseconds until_given_up(const Retransmitting& now, const KernelSettings& kernel,
                           std::optional<nanoseconds> user_timeout) {
  const bool has_user_timeout = user_timeout && user_timeout->count() > 0;
  const nanoseconds limit =
      has_user_timeout ? *user_timeout
                       : base::model_timeout(kernel.retries2, kernel.rto_min, kernel.rto_max);
  // The first timeout retransmits, and then the time begins. At each later one, the RTO before it
  // has passed.
  nanoseconds elapsed{};
  nanoseconds rto = undone(now.rto, now.timeouts, kernel.rto_min);
  for (std::uint32_t i = 1; i < now.timeouts && i < kMostTimeouts; ++i) {
    rto = next(rto, kernel.rto_max);
    elapsed += rto;
  }
  nanoseconds until = now.until_next;
  rto = now.rto;
  if (now.timeouts > 0) elapsed += rto;
  for (int i = 0; i < kMostTimeouts && !is_over(elapsed, limit); ++i) {
    rto = next(rto, kernel.rto_max);
    // tcp_clamp_rto_to_user_timeout(): the timer does not run past the limit.
    const nanoseconds wait = has_user_timeout ? std::min(rto, limit - elapsed) : rto;
    elapsed += wait;
    until += wait;
  }
  return until;
}

nanoseconds until_connecting_given_up(const Retransmitting& now, int retries,
                                      const KernelSettings& kernel,
                                      std::optional<nanoseconds> user_timeout) {
  const bool has_user_timeout = user_timeout && user_timeout->count() > 0;
  const int linear = kernel.syn_linear_timeouts;
  // retransmits_timed_out(), besides the number of retries.
  const nanoseconds limit = has_user_timeout
                                ? *user_timeout
                                : base::model_timeout(retries, base::kInitialRto, kernel.rto_max);
  int timeouts = static_cast<int>(std::min<std::uint32_t>(now.timeouts, kMostTimeouts));
  nanoseconds elapsed{};
  nanoseconds rto = base::kInitialRto;
  for (int i = 0; i < timeouts; ++i) {
    elapsed += rto;
    if (i >= linear) rto = next(rto, kernel.rto_max);
  }
  rto = now.rto;
  elapsed += rto;
  nanoseconds until = now.until_next;
  while (timeouts < retries + linear && timeouts < kMostTimeouts && !is_over(elapsed, limit)) {
    if (++timeouts > linear) rto = next(rto, kernel.rto_max);
    const nanoseconds wait = has_user_timeout ? std::min(rto, limit - elapsed) : rto;
    elapsed += wait;
    until += wait;
  }
  return until;
}

}  // namespace tcplab::audit
