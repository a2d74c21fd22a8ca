// When a kernel that retransmits gives up, from where it stands: net/ipv4/tcp_timer.c.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.hh"

namespace tcplab::audit {

/// Where the retransmissions of a connection stand.
struct Retransmitting {
  base::nanoseconds rto{};         // with the back-off so far
  std::uint32_t timeouts = 0;      // so far
  base::nanoseconds until_next{};  // the next timeout
};

/// Returns when an established connection ends with ETIMEDOUT if the peer stays silent: at the
/// first timeout at which tcp_retries2, or TCP_USER_TIMEOUT if it is set, is over. Both count from
/// the first retransmission (retransmits_timed_out()).
base::nanoseconds until_given_up(const Retransmitting& now, int retries2,
                                 std::optional<base::nanoseconds> user_timeout);

/// Returns when connect(2) ends with ETIMEDOUT if no SYN is answered (tcp_write_timeout()). A
/// TCP_USER_TIMEOUT counts from the first SYN.
base::nanoseconds until_connecting_given_up(const Retransmitting& now, int retries,
                                            int linear_timeouts,
                                            std::optional<base::nanoseconds> user_timeout);

}  // namespace tcplab::audit
