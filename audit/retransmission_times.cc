#include "audit/retransmission_times.hh"

#include <algorithm>

namespace tcplab::audit {

namespace {

using base::nanoseconds;
using std::chrono::seconds;

constexpr nanoseconds kLeastRto = std::chrono::milliseconds(200);  // TCP_RTO_MIN
constexpr nanoseconds kMostRto = seconds(120);                     // TCP_RTO_MAX
constexpr int kMostTimeouts = 200;                                 // more never fit into a limit

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
  for (std::uint32_t i = 1; i < now.timeouts; ++i) elapsed += rto = next(rto);
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
  const int limit = retries + linear_timeouts;
  nanoseconds until = now.until_next;
  nanoseconds rto = now.rto;
  for (int timeouts = static_cast<int>(now.timeouts); timeouts < std::min(limit, kMostTimeouts);) {
    ++timeouts;
    if (timeouts > linear_timeouts) rto = next(rto);
    until += rto;
  }
  if (!user_timeout || user_timeout->count() == 0) return until;
  nanoseconds elapsed{};
  nanoseconds before = seconds(1);  // TCP_TIMEOUT_INIT
  for (int i = 0; i < static_cast<int>(now.timeouts); ++i) {
    elapsed += before;
    if (i >= linear_timeouts) before = next(before);
  }
  elapsed += std::max(now.rto - now.until_next, nanoseconds{});
  return std::min(until, std::max(*user_timeout - elapsed, nanoseconds{}));
}

}  // namespace tcplab::audit
