// The words for a wait: its frames, its call, its connection, and how it ended. Folded stacks,
// flame graphs and tables say the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/waits/trace_wait.hh"

namespace tcplab::reports {

/// What kind of end a wait has.
enum class WaitOutcomeKind : std::uint8_t {
  came,     // what it waited for: data, end of stream, a connection, room to send
  error,    // an errno, or POLLERR
  nothing,  // a timeout, or it has not ended
};

struct WaitOutcome {
  std::string text;  // "data", "ETIMEDOUT", "not ended"
  WaitOutcomeKind kind = WaitOutcomeKind::came;

  auto operator<=>(const WaitOutcome&) const = default;
};

/// Returns a frame of StackNames without its address, so that the same function is the same frame.
/// Without a name, the module is one, as in perf-script(1): "[libc.so.6]".
std::string without_address(std::string_view frame);

/// Returns the remote ends, "10.0.0.2:5432" or at most 3 of them; empty for accept(2), whose
/// clients have a port each, and if none is known.
std::string peer_of(const TraceWait& wait);

/// Returns both ends: "10.0.0.1:45134 > 10.0.0.2:5432", or at most 3 such pairs. Of accept(2)
/// "listens on port 80", or "a listening socket". Empty if no connection is known.
std::string connection_of(const TraceWait& wait);

WaitOutcome end_of(const TraceWait& wait);

}  // namespace tcplab::reports
