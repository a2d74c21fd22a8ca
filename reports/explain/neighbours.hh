// What an earlier or a neighbouring connection says about a connection of the same capture.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "reports/explain/followed.hh"

namespace tcplab::reports {

/// Returns when the TIME_WAIT began that a new connection of the same endpoints meets at `now`, in
/// nanoseconds since 1970; 0 if none. An attempt that was not established leaves it as it is.
std::int64_t in_time_wait_since(const Followed& before, std::int64_t now);

/// Notes in the facts of each connection what the others show: those of the same listener, and
/// those from the same address to it.
///
/// Timestamps (RFC 7323) are compared between the connections from one address to one listener. A
/// clock shows in two answered connections whose timestamps fit the time between them; a stack
/// that adds a random offset to each connection has none. If there is a clock, and a connection's
/// timestamps are older than those of an earlier connection, two hosts behind one NAT sent them, or
/// the host was restarted.
void note_neighbours(const std::vector<std::unique_ptr<Followed>>& connections);

}  // namespace tcplab::reports
