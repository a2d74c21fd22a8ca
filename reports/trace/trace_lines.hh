// The calls of a traced program, one line each, as they return: `tcplab trace`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "capture/event/event.hh"
#include "reports/text/style.hh"
#include "reports/waits/trace_wait.hh"

namespace tcplab::reports {

enum class TraceFormat : std::uint8_t {
  text,   // as dnc's log: time of day, process, call, result, connection
  truss,  // as truss(1): seconds since the start
  json,   // the events of docs/events.md
};

/// Formats the events of a trace. Each function returns whole lines, or nothing.
class TraceLines {
public:
  virtual ~TraceLines() = default;
  virtual std::string begin(base::Instant at, base::nanoseconds wall_offset) = 0;
  virtual std::string call(base::Instant at, const capture::Call& call) = 0;
  /// Formats a wait. Text shows its duration; JSON shows when the call began and returned.
  virtual std::string wait(const TraceWait& wait) = 0;
  virtual std::string probe(base::Instant at, const capture::Probe& probe) = 0;
  /// A sentence about what has happened to a process.
  virtual std::string note(base::Instant at, const std::string& text) = 0;
  virtual std::string unseen(base::Instant at, int process, const std::string& why) = 0;
};

std::unique_ptr<TraceLines> trace_lines(TraceFormat format, const Style& style);

}  // namespace tcplab::reports
