// Finds the event by which a program noticed a failure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/host_watch.hh"

namespace tcplab::audit {

/// Which events may be a notice.
struct NoticeScope {
  std::string host;
  std::string program;    // empty: every program of the host
  base::Instant failure;  // nothing before it
  base::Instant until;    // nothing after it
  /// An end of stream, a timeout or a close is a usual end of a request. Each is a notice only
  /// before this: when the program opened another connection. Empty: always a notice.
  std::optional<base::Instant> usual_after;
  bool is_of_old_connections = false;  // only calls on connections from before the failure
};

/// A notice, and the connection that it is about, if one is named.
struct Sighting {
  Noticed noticed;
  base::Instant at{};
  const WatchedConnection* connection = nullptr;
};

/// Returns the first notice in `scope`; empty if the program noticed nothing. `events` are in the
/// order of time. `watch` has seen all of them.
std::optional<Sighting> first_notice(const std::vector<capture::Event>& events,
                                     const HostWatch& watch, const NoticeScope& scope);

/// Returns the errors of calls in `scope`, in order.
std::vector<int> errors_in(const std::vector<capture::Event>& events, const NoticeScope& scope);

/// Returns N of "..., timeout N ms" in a call's arguments; empty for "timeout none".
std::optional<base::nanoseconds> timeout_in(const std::string& arguments);

}  // namespace tcplab::audit
