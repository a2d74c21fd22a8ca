// A call in which a program has waited for longer than a threshold: `tcplab trace --waits`, and the
// page of a run.
#pragma once

#include <string>
#include <vector>

#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"

namespace tcplab::reports {

struct TraceWait {
  capture::Call call;  // with its stack; phase enter if it has not ended
  base::Instant entered{};
  base::Instant until{};  // the return; if it has not ended, the end of its thread or of the trace
  std::string process;    // the name of its process: "python3"
  /// Of poll(2), select(2) and epoll_wait(2), at most 3 connections: those that ended it, but a
  /// single one is the call's; or, if no descriptor did, those that it waited for.
  std::vector<capture::FlowKey> connections{};
  std::uint64_t event = 0;  // the number of the event of the return, or of the entry; 0 if none

  bool has_ended() const { return call.phase == capture::CallPhase::leave; }
  base::nanoseconds duration() const { return until - entered; }
};

}  // namespace tcplab::reports
