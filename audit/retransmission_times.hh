// When a kernel that retransmits gives up, from where it stands: net/ipv4/tcp_timer.c.
#pragma once

#include <cstdint>
#include <optional>

#include "base/tcp_timeouts.hh"

namespace tcplab::audit {

/// The sysctls of a network namespace, or their built-in values.
struct KernelSettings {
  int retries2 = 15;
  int syn_retries = 6;
  int syn_linear_timeouts = 0;                // Linux 6.5 or newer: 4
  base::nanoseconds rto_min = base::kRtoMin;  // tcp_rto_min_us, Linux 6.11 or newer
  base::nanoseconds rto_max = base::kRtoMax;  // tcp_rto_max_ms, Linux 6.15 or newer
  bool are_assumed = true;                    // not read
};

/// Where the retransmissions of a connection stand.
struct Retransmitting {
  base::nanoseconds rto{};         // with the back-off so far
  std::uint32_t timeouts = 0;      // so far
  base::nanoseconds until_next{};  // the next timeout
};

/// Returns when an established connection ends with ETIMEDOUT if the peer stays silent: at the
/// first timeout at which tcp_retries2, or TCP_USER_TIMEOUT if it is set, is over. Both count from
/// the first retransmission (retransmits_timed_out()).
base::nanoseconds until_given_up(const Retransmitting& now, const KernelSettings& kernel,
                                 std::optional<base::nanoseconds> user_timeout);

/// Returns when connect(2) ends with ETIMEDOUT if no SYN is answered (tcp_write_timeout()).
/// `retries` is tcp_syn_retries, or TCP_SYNCNT. A TCP_USER_TIMEOUT counts from the first SYN.
base::nanoseconds until_connecting_given_up(const Retransmitting& now, int retries,
                                            const KernelSettings& kernel,
                                            std::optional<base::nanoseconds> user_timeout);

}  // namespace tcplab::audit
