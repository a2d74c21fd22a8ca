// Computes how long the kernel takes to give up, from its sysctls (ip-sysctl) and the formulas of
// net/ipv4/tcp_timer.c, so that a script holds under any settings.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::engine {

enum class TimerProfile { fast, stock };

std::string_view name(TimerProfile profile);

/// Returns what `fast` sets on each host (minutes become seconds); `stock` sets nothing.
const std::vector<std::pair<std::string, std::string>>& sysctls(TimerProfile profile);

/// Returns what else is set if a person steps through a run with `fast`: kernels then give up after
/// half a minute, because people need more than a second to think.
const std::vector<std::pair<std::string, std::string>>& sysctls_for_steps();

/// Reads a sysctl of the host: "net.ipv4.tcp_retries2" -> 15. Returns `built_in` if the kernel does
/// not have it.
using SysctlReader = std::function<long(const std::string& name, long built_in)>;

/// From the write(2) of a segment that nobody acknowledges to the end of the connection, for an
/// established connection whose retransmission timeout is `rto`: a tail loss probe, then
/// tcp_retries2's back-off (tcp_model_timeout(), retransmits_timed_out()). R2 of RFC 1122.
base::nanoseconds retransmission_timeout(const SysctlReader& sysctl, base::nanoseconds rto);

/// The time that tcp_retries2 allows from the first retransmission on: the connection ends at the
/// first retransmission timer at or after it. If ICMP errors revert the back-off (RFC 6069), that
/// is earlier than retransmission_timeout() says.
base::nanoseconds retransmission_limit(const SysctlReader& sysctl);

/// As retransmission_timeout(), for an orphaned socket in FIN_WAIT1, CLOSING or LAST_ACK:
/// tcp_orphan_retries, where 0 means 8 as long as the timeout can still grow.
base::nanoseconds orphan_timeout(const SysctlReader& sysctl, base::nanoseconds rto);

/// As retransmission_timeout(), with TCP_USER_TIMEOUT: `patience` runs from the first
/// retransmission.
base::nanoseconds user_timeout(const SysctlReader& sysctl, base::nanoseconds rto,
                               base::nanoseconds patience);

/// From the write(2) to the first retransmission (the tail loss probe comes before it).
base::nanoseconds first_retransmission(const SysctlReader& sysctl, base::nanoseconds rto);
/// From the write(2) of a segment that nobody acknowledges to the timer at which the kernel
/// suspects the path (tcp_retries1; R1 of RFC 1122): it looks for another route, and with
/// tcp_mtu_probing for a smaller MTU.
base::nanoseconds suspicion_timeout(const SysctlReader& sysctl, base::nanoseconds rto);

/// connect(2) to a black hole: tcp_syn_retries with tcp_syn_linear_timeouts.
base::nanoseconds connect_timeout(const SysctlReader& sysctl);

/// The first retransmission timeout of a SYN or a SYN/ACK: TCP_TIMEOUT_INIT, fixed.
base::nanoseconds initial_timeout();

/// SYN_RECV whose SYN/ACK nobody acknowledges: tcp_synack_retries (reqsk_timer_handler()).
base::nanoseconds synack_timeout(const SysctlReader& sysctl);

/// From the first request for a neighbour's link address until the kernel gives up: mcast_solicit
/// requests, retrans_time_ms apart (neigh_timer_handler(); arp(7), RFC 4861 section 7.2.2).
base::nanoseconds neighbour_failure(const SysctlReader& sysctl, base::Family family);

/// From the last segment received to ETIMEDOUT (tcp(7)), with the host's keepalive sysctls.
base::nanoseconds keepalive_timeout(const SysctlReader& sysctl);

/// An orphaned FIN_WAIT2 (tcp_fin_timeout), and TIME_WAIT (TCP_TIMEWAIT_LEN, fixed).
base::nanoseconds fin_timeout(const SysctlReader& sysctl);
base::nanoseconds time_wait();

/// How long a port in TIME_WAIT stays in use before tcp_tw_reuse gives it to a new connection:
/// tcp_tw_reuse_delay, one second before Linux 6.14.
base::nanoseconds time_wait_reuse(const SysctlReader& sysctl);

/// A delayed acknowledgment (TCP_DELACK_MIN), and the lowest retransmission timeout, which is also
/// how long TCP_CORK holds (TCP_RTO_MIN).
base::nanoseconds delayed_ack();
base::nanoseconds lowest_timeout(const SysctlReader& sysctl);

/// The kernel's timer wheel may be late by 12.5 %, a jiffy may be 4 ms (packetdrill's tolerance),
/// and a machine may be busy: `slack`, on the late side only.
struct TimeBounds {
  base::nanoseconds earliest;
  base::nanoseconds latest;
};
TimeBounds bounds(base::nanoseconds expected, base::nanoseconds slack);

}  // namespace tcplab::engine
