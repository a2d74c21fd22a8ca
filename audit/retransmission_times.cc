#include "audit/retransmission_times.hh"

#include <algorithm>

namespace tcplab::audit {

namespace {

using base::nanoseconds;
using std::chrono::seconds;

constexpr nanoseconds kLeastRto = std::chrono::milliseconds(200);  // TCP_RTO_MIN
constexpr nanoseconds kMostRto = seconds(120);                     // TCP_RTO_MAX
constexpr int kMostRetries = 32;
constexpr int kMostTimeouts = 200;  // more never fit into a limit

/// tcp_model_timeout(): how long that number of retransmissions takes with the least RTO.
nanoseconds limit_of(int retries) {
  constexpr int kDoublings = 9;  // ilog2(kMostRto / kLeastRto)
  const int doublings = std::min(retries, kDoublings);
  const int rest = retries - doublings;
  return kLeastRto * ((2 << doublings) - 1) + kMostRto * rest;
}

/// The RTO before the last `count` timeouts doubled it.
nanoseconds undone(nanoseconds rto, std::uint32_t count) {
  for (; count > 0 && rto > kLeastRto; --count) rto /= 2;
  return std::max(rto, kLeastRto);
}

/// Whether a timeout that is due at `elapsed` is past the limit. Timers are late, by up to 12.5 %
/// (kernel/time/timer.c), and seldom by less than this.
bool is_over(nanoseconds elapsed, nanoseconds limit) {
  constexpr int kLate = 64;
  return elapsed + elapsed / kLate >= limit;
}

nanoseconds next(nanoseconds rto) { return std::min(rto * 2, kMostRto); }

}  // namespace

nanoseconds until_given_up(const Retransmitting& now, int retries2,
                           std::optional<nanoseconds> user_timeout) {
  const bool has_user_timeout = user_timeout && user_timeout->count() > 0;
  const nanoseconds limit = has_user_timeout ? *user_timeout : limit_of(retries2);
  // The first timeout retransmits, and then the time begins. At each later one, the RTO before it
  // has passed.
  nanoseconds elapsed{};
  nanoseconds rto = undone(now.rto, now.timeouts);
  for (std::uint32_t i = 1; i < now.timeouts && i < kMostTimeouts; ++i) elapsed += rto = next(rto);
  nanoseconds until = now.until_next;
  rto = now.rto;
  if (now.timeouts > 0) elapsed += rto;
  for (int i = 0; i < kMostTimeouts && !is_over(elapsed, limit); ++i) {
    rto = next(rto);
    // tcp_clamp_rto_to_user_timeout(): the timer does not run past the limit.
    const nanoseconds wait = has_user_timeout ? std::min(rto, limit - elapsed) : rto;
    elapsed += wait;
    until += wait;
  }
  return until;
}

nanoseconds until_connecting_given_up(const Retransmitting& now, int retries, int linear_timeouts,
                                      std::optional<nanoseconds> user_timeout) {
  const bool has_user_timeout = user_timeout && user_timeout->count() > 0;
  // retransmits_timed_out() with the first RTO of a SYN: 1 + 2 + 4 + ... seconds.
  const nanoseconds limit =
      has_user_timeout ? *user_timeout : seconds((2LL << std::clamp(retries, 0, kMostRetries)) - 1);
  int timeouts = static_cast<int>(std::min<std::uint32_t>(now.timeouts, kMostTimeouts));
  nanoseconds elapsed{};
  nanoseconds rto = seconds(1);  // TCP_TIMEOUT_INIT
  for (int i = 0; i < timeouts; ++i) {
    elapsed += rto;
    if (i >= linear_timeouts) rto = next(rto);
  }
  rto = now.rto;
  elapsed += rto;
  nanoseconds until = now.until_next;
  while (timeouts < retries + linear_timeouts && timeouts < kMostTimeouts &&
         !is_over(elapsed, limit)) {
    if (++timeouts > linear_timeouts) rto = next(rto);
    const nanoseconds wait = has_user_timeout ? std::min(rto, limit - elapsed) : rto;
    elapsed += wait;
    until += wait;
  }
  return until;
}

}  // namespace tcplab::audit
