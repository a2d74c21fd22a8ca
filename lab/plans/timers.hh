// Computes how long the kernel waits before it retransmits or gives up: the formulas of
// net/ipv4/tcp_timer.c with the sysctls of the host. So a script holds under any settings.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::lab {

enum class TimerProfile { fast, stock };

std::string_view name(TimerProfile profile);

/// The sysctls that `fast` sets on each host (minutes become seconds); `stock` sets none.
const std::vector<std::pair<std::string, std::string>>& sysctls(TimerProfile profile);

/// Sysctls for a run that a person steps through, besides those of `fast`: kernels give up after
/// half a minute, not after a second.
const std::vector<std::pair<std::string, std::string>>& sysctls_for_steps();

/// Sysctls while a person looks at a stopped frame: kernels retransmit, but do not give up for
/// hours, on a keepalive for minutes. TCP_USER_TIMEOUT and TCP_SYNCNT of a socket still end a
/// connection.
const std::vector<std::pair<std::string, std::string>>& sysctls_for_pause();

/// Reads a sysctl of a host: "net.ipv4.tcp_retries2" -> 15. Returns the built-in value if the
/// kernel has no such sysctl.
using SysctlReader = std::function<long(const std::string& name, long built_in)>;

/// Whether the kernel's timers expire on time, or 5 % late. A connection ends at the first timer at
/// or past a limit. If a timer on time just misses the limit, the same timer may be late enough to
/// be past it. Then the connection ends one back-off sooner. The timer wheel delays a timer by up
/// to 12.5 % (kernel/time/timer.c), but the sum of a back-off by less: with HZ=250, 0.464 s and
/// 0.928 s by 32 ms each.
enum class Expiry { on_time, late };

/// From the write(2) of a segment that is never acknowledged until the connection ends (R2 of RFC
/// 1122 section 4.2.3.5), for an established connection with that RTO: a tail loss probe, then the
/// back-off of tcp_retries2 (tcp_model_timeout(), retransmits_timed_out()).
base::nanoseconds r2(const SysctlReader& sysctl, base::nanoseconds rto,
                     Expiry expiry = Expiry::on_time);

/// The time that tcp_retries2 allows, from the first retransmission on. The connection ends at the
/// first retransmission timer at or past it. If ICMP errors make the kernel undo its back-off (RFC
/// 6069), that is sooner than r2() says.
base::nanoseconds r2_limit(const SysctlReader& sysctl);

/// The same as r2() for a socket that no program holds, in FIN_WAIT1, CLOSING or LAST_ACK:
/// tcp_orphan_retries, where 0 means 8 until the RTO reaches its maximum.
base::nanoseconds orphan_r2(const SysctlReader& sysctl, base::nanoseconds rto,
                            Expiry expiry = Expiry::on_time);

/// As r2(), with TCP_USER_TIMEOUT: `patience` runs from the first retransmission.
base::nanoseconds user_timeout(const SysctlReader& sysctl, base::nanoseconds rto,
                               base::nanoseconds patience);

/// From the write(2) to the first retransmission (a tail loss probe comes before it).
base::nanoseconds first_retransmission(const SysctlReader& sysctl, base::nanoseconds rto);

/// From the write(2) of a segment that is never acknowledged until the kernel suspects the path
/// (tcp_retries1; R1 of RFC 1122): it looks for another route and, with tcp_mtu_probing, for a
/// smaller MTU.
base::nanoseconds r1(const SysctlReader& sysctl, base::nanoseconds rto,
                     Expiry expiry = Expiry::on_time);

/// From connect(2) to a black hole until ETIMEDOUT: tcp_syn_retries with tcp_syn_linear_timeouts.
base::nanoseconds syn_r2(const SysctlReader& sysctl);

/// The first RTO of a SYN or a SYN/ACK: TCP_TIMEOUT_INIT, fixed.
base::nanoseconds initial_rto();

/// How long SYN_RECV lasts if its SYN/ACK is never acknowledged: tcp_synack_retries
/// (reqsk_timer_handler()).
base::nanoseconds synack_r2(const SysctlReader& sysctl);

/// From the first request for a neighbour's link address until the kernel gives up: mcast_solicit
/// requests, retrans_time_ms apart (neigh_timer_handler(); arp(7), RFC 4861 section 7.2.2).
base::nanoseconds neighbour_failure(const SysctlReader& sysctl, base::Family family);

/// From the last segment received to ETIMEDOUT (tcp(7)), with the keepalive sysctls. A
/// TCP_USER_TIMEOUT replaces the number of probes: the first timer at or past it, after one probe,
/// ends the connection (tcp_keepalive_timer()).
base::nanoseconds keepalive_timeout(const SysctlReader& sysctl,
                                    std::optional<base::nanoseconds> user_timeout = {});

/// How long an orphan stays in FIN_WAIT2 (tcp_fin_timeout), and how long TIME_WAIT lasts
/// (TCP_TIMEWAIT_LEN, fixed).
base::nanoseconds fin_timeout(const SysctlReader& sysctl);
base::nanoseconds time_wait();

/// How long a port in TIME_WAIT stays taken if tcp_tw_reuse gives it to a new connection:
/// tcp_tw_reuse_delay, 1 s before Linux 6.14.
base::nanoseconds time_wait_reuse(const SysctlReader& sysctl);

/// A delayed acknowledgment (TCP_DELACK_MIN), and the minimum RTO (TCP_RTO_MIN), for which TCP_CORK
/// also holds data.
base::nanoseconds delayed_ack();
base::nanoseconds rto_min(const SysctlReader& sysctl);

/// The times to accept for an expected one: the kernel's timer wheel may be late by 12.5 %, and a
/// jiffy may be 4 ms (packetdrill's tolerance). `slack` is on the late side only.
struct TimeBounds {
  base::nanoseconds earliest;
  base::nanoseconds latest;

  bool contain(base::nanoseconds measured) const;
};
TimeBounds bounds(base::nanoseconds expected, base::nanoseconds slack);

/// The same for a virtual clock, on which timers are late, but not early. A time may be earlier by
/// two ticks of 10 ms (a kernel counts time in whole ticks, at the start and at the end) and by
/// 0.1 %, but by no more than bounds() says. `probe` is the part of the time that is the wait for a
/// tail loss probe. With several segments in flight, the kernel waits for two round trips, not for
/// one RTO (tcp_schedule_loss_probe()): the time may be earlier by TCP_RTO_MIN.
TimeBounds virtual_bounds(base::nanoseconds expected, base::nanoseconds slack,
                          base::nanoseconds probe = {});

/// Returns the bounds for a run that had no processor for `waited`. The lab saw an event late, by
/// up to that. If the event is the first of two, the measured time is too short; if it is the
/// second, too long.
TimeBounds widened(const TimeBounds& bounds, base::nanoseconds waited);

/// Returns what to say after the bounds of such a run; nothing if it did not wait.
std::string describe_widening(base::nanoseconds waited);

}  // namespace tcplab::lab
