#include "lab/plans/timers.hh"

#include <algorithm>
#include <chrono>

#include "base/tcp_timeouts.hh"

namespace tcplab::lab {

using base::kInitialRto;
using base::kRtoMax;
using base::kRtoMin;
using base::model_timeout;
using base::nanoseconds;
using namespace std::chrono_literals;

namespace {

constexpr nanoseconds kTimeWait = 60s;      // TCP_TIMEWAIT_LEN, include/net/tcp.h
constexpr long kOrphanRetries = 8;          // tcp_orphan_retries()
constexpr nanoseconds kLongestTick = 10ms;  // HZ=100
constexpr nanoseconds kDelayedAck = 40ms;   // TCP_DELACK_MIN, include/net/tcp.h

nanoseconds rto_max(const SysctlReader& sysctl) {
  return std::chrono::milliseconds(
      sysctl("net.ipv4.tcp_rto_max_ms",
             std::chrono::duration_cast<std::chrono::milliseconds>(kRtoMax).count()));
}

/// The elapsed time from which a timer may be past `allowed` when it expires.
nanoseconds reaches(nanoseconds allowed, Expiry expiry) {
  return expiry == Expiry::late ? allowed * 20 / 21 : allowed;  // 20/21 and 5 % of it are 1
}

/// From the first retransmission of a segment until its timer fires at or past `allowed`.
nanoseconds back_off(nanoseconds rto, nanoseconds allowed, nanoseconds highest) {
  nanoseconds interval = std::min(2 * rto, highest);
  nanoseconds elapsed = 0s;
  do {
    elapsed += interval;
    interval = std::min(2 * interval, highest);
  } while (elapsed < allowed);
  return elapsed;
}

}  // namespace

std::string_view name(TimerProfile profile) {
  switch (profile) {
    case TimerProfile::fast:
      return "fast";
    case TimerProfile::stock:
      return "stock";
  }
  return "";
}

const std::vector<std::pair<std::string, std::string>>& sysctls(TimerProfile profile) {
  static const std::vector<std::pair<std::string, std::string>> kStock;
  static const std::vector<std::pair<std::string, std::string>> kFast = {
      {"net.ipv4.tcp_retries2", "2"},
      {"net.ipv4.tcp_syn_retries", "1"},
      {"net.ipv4.tcp_synack_retries", "1"},
      {"net.ipv4.tcp_orphan_retries", "2"},
      {"net.ipv4.tcp_fin_timeout", "1"},
      {"net.ipv4.tcp_keepalive_time", "1"},
      {"net.ipv4.tcp_keepalive_intvl", "1"},
      {"net.ipv4.tcp_keepalive_probes", "2"},
      {"net.ipv4.neigh.eth0.base_reachable_time_ms", "500"},
      {"net.ipv4.neigh.eth0.delay_first_probe_time", "0"},
      {"net.ipv4.neigh.eth0.retrans_time_ms", "100"},
      {"net.ipv6.neigh.eth0.base_reachable_time_ms", "500"},
      {"net.ipv6.neigh.eth0.delay_first_probe_time", "0"},
      {"net.ipv6.neigh.eth0.retrans_time_ms", "100"},
  };
  return profile == TimerProfile::fast ? kFast : kStock;
}

const std::vector<std::pair<std::string, std::string>>& sysctls_for_steps() {
  // From 1 s (RFC 6298) four doublings make 31 s; from 200 ms six make 25 s.
  static const std::vector<std::pair<std::string, std::string>> kPatient = {
      {"net.ipv4.tcp_retries2", "6"},         {"net.ipv4.tcp_syn_retries", "4"},
      {"net.ipv4.tcp_synack_retries", "4"},   {"net.ipv4.tcp_orphan_retries", "6"},
      {"net.ipv4.tcp_fin_timeout", "30"},     {"net.ipv4.tcp_keepalive_intvl", "3"},
      {"net.ipv4.tcp_keepalive_probes", "9"},
  };
  return kPatient;
}

const std::vector<std::pair<std::string, std::string>>& sysctls_for_pause() {
  // The greatest values that the kernel takes (tcp_keepalive_probes and tcp_syn_retries:
  // MAX_TCP_KEEPCNT and MAX_TCP_SYNCNT, include/net/tcp.h).
  static const std::vector<std::pair<std::string, std::string>> kPause = {
      {"net.ipv4.tcp_retries2", "255"},         {"net.ipv4.tcp_syn_retries", "127"},
      {"net.ipv4.tcp_synack_retries", "255"},   {"net.ipv4.tcp_orphan_retries", "255"},
      {"net.ipv4.tcp_keepalive_probes", "127"},
  };
  return kPause;
}

nanoseconds rto_min(const SysctlReader& sysctl) {
  return std::chrono::microseconds(
      sysctl("net.ipv4.tcp_rto_min_us",
             std::chrono::duration_cast<std::chrono::microseconds>(kRtoMin).count()));
}

nanoseconds first_retransmission(const SysctlReader& sysctl, nanoseconds rto) {
  // The tail loss probe goes out after about one timeout (RFC 8985 section 7.2: for one segment
  // the probe timer allows for a delayed ACK), the first retransmission one timeout later.
  const bool probes = sysctl("net.ipv4.tcp_early_retrans", 3) >= 3;
  return probes ? 2 * rto : rto;
}

nanoseconds r2(const SysctlReader& sysctl, nanoseconds rto, Expiry expiry) {
  return first_retransmission(sysctl, rto) +
         back_off(rto, reaches(r2_limit(sysctl), expiry), rto_max(sysctl));
}

nanoseconds r1(const SysctlReader& sysctl, nanoseconds rto, Expiry expiry) {
  const nanoseconds allowed =
      model_timeout(sysctl("net.ipv4.tcp_retries1", 3), rto_min(sysctl), rto_max(sysctl));
  return first_retransmission(sysctl, rto) +
         back_off(rto, reaches(allowed, expiry), rto_max(sysctl));
}

nanoseconds r2_limit(const SysctlReader& sysctl) {
  return model_timeout(sysctl("net.ipv4.tcp_retries2", 15), rto_min(sysctl), rto_max(sysctl));
}

nanoseconds orphan_r2(const SysctlReader& sysctl, nanoseconds rto, Expiry expiry) {
  const nanoseconds highest = rto_max(sysctl);
  const long retries = sysctl("net.ipv4.tcp_orphan_retries", 0);
  const nanoseconds allowed = reaches(
      model_timeout(retries == 0 ? kOrphanRetries : retries, rto_min(sysctl), highest), expiry);
  const nanoseconds first = first_retransmission(sysctl, rto);
  if (retries > 0) return first + back_off(rto, allowed, highest);
  // tcp_orphan_retries(): once the RTO has reached its maximum, the peer counts as dead.
  nanoseconds elapsed = 0s;
  nanoseconds interval = std::min(2 * rto, highest);
  do {
    elapsed += interval;
    interval = std::min(2 * interval, highest);
  } while (elapsed < allowed && interval < highest);
  return first + elapsed;
}

nanoseconds user_timeout(const SysctlReader& sysctl, nanoseconds rto, nanoseconds patience) {
  return first_retransmission(sysctl, rto) + patience;
}

nanoseconds syn_r2(const SysctlReader& sysctl) {
  const long retries = sysctl("net.ipv4.tcp_syn_retries", 6);
  long linear = sysctl("net.ipv4.tcp_syn_linear_timeouts", 0);  // since Linux 6.5, where it is 4
  const nanoseconds highest = rto_max(sysctl);
  const nanoseconds allowed = model_timeout(retries, kInitialRto, highest);
  // tcp_retransmit_timer() keeps the interval for the first `linear` retransmissions of a SYN,
  // while tcp_write_timeout() adds them to the retries that it allows.
  nanoseconds interval = kInitialRto;
  nanoseconds elapsed = interval;
  while (elapsed < allowed) {
    if (linear-- <= 0) interval = std::min(2 * interval, highest);
    elapsed += interval;
  }
  return elapsed;
}

nanoseconds initial_rto() { return kInitialRto; }

nanoseconds synack_r2(const SysctlReader& sysctl) {
  return model_timeout(sysctl("net.ipv4.tcp_synack_retries", 5), kInitialRto, rto_max(sysctl));
}

nanoseconds neighbour_failure(const SysctlReader& sysctl, base::Family family) {
  const std::string table =
      family == base::Family::ipv4 ? "net.ipv4.neigh.eth0." : "net.ipv6.neigh.eth0.";
  return sysctl(table + "mcast_solicit", 3) *
         std::chrono::milliseconds(sysctl(table + "retrans_time_ms", 1000));
}

nanoseconds keepalive_timeout(const SysctlReader& sysctl, std::optional<nanoseconds> user_timeout) {
  const long idle = sysctl("net.ipv4.tcp_keepalive_time", 7200);
  const long interval = sysctl("net.ipv4.tcp_keepalive_intvl", 75);
  const long probes = sysctl("net.ipv4.tcp_keepalive_probes", 9);
  if (!user_timeout) return std::chrono::seconds(idle + interval * probes);
  nanoseconds elapsed = std::chrono::seconds(idle + interval);
  while (elapsed < *user_timeout && interval > 0) elapsed += std::chrono::seconds(interval);
  return elapsed;
}

nanoseconds fin_timeout(const SysctlReader& sysctl) {
  return std::chrono::seconds(sysctl("net.ipv4.tcp_fin_timeout", 60));
}

nanoseconds time_wait() { return kTimeWait; }

nanoseconds time_wait_reuse(const SysctlReader& sysctl) {
  return std::chrono::milliseconds(sysctl("net.ipv4.tcp_tw_reuse_delay", 1000));
}

nanoseconds delayed_ack() { return kDelayedAck; }

bool TimeBounds::contain(nanoseconds measured) const {
  return measured >= earliest && measured <= latest;
}

TimeBounds bounds(nanoseconds expected, nanoseconds slack) {
  const nanoseconds margin = expected / 8 + 4ms;
  return {expected - margin, expected + margin + slack};
}

TimeBounds virtual_bounds(nanoseconds expected, nanoseconds slack, nanoseconds probe) {
  TimeBounds allowed = bounds(expected, slack);
  const nanoseconds early = std::min(probe + 2 * kLongestTick, kRtoMin);
  allowed.earliest = std::max<nanoseconds>(allowed.earliest, expected - early - expected / 1000);
  return allowed;
}

TimeBounds widened(const TimeBounds& bounds, nanoseconds waited) {
  return {bounds.earliest - waited, bounds.latest + waited};
}

std::string describe_widening(nanoseconds waited) {
  if (waited == nanoseconds{}) return "";
  return "; " + base::describe(waited) +
         " less or more, because the run waited so long for a processor";
}

}  // namespace tcplab::lab
