// What traced processes waited for when a signal came that ends most programs, or when their trace
// ended before them: for the summary of `tcplab trace`.
#pragma once

#include <sys/types.h>

#include <map>
#include <set>
#include <string>

#include "base/clock.hh"
#include "capture/event/event.hh"
#include "look/looked_process.hh"
#include "reports/text/style.hh"

namespace tcplab::app {

class TraceWaits {
public:
  void add(const capture::Call& call);
  /// Looks at a process before its thread gets the signal. The thread must be held by this tracer;
  /// `is_interrupted`: in its last call.
  void at_signal(pid_t process, pid_t thread, int signal, bool is_interrupted);

  /// Looks at the processes that are still traced. Returns their waits, and those at a signal;
  /// empty if none is known. Times count from `start`.
  std::string text(base::Instant start, const reports::Style& style);

private:
  struct Sight {
    std::string occasion;  // "SIGTERM came"
    base::Instant at{};
    look::LookedProcess process;
  };

  void look_at(pid_t process, const std::string& occasion, std::optional<pid_t> interrupted);

  std::set<pid_t> callers_;  // of something on a TCP socket; some may have ended
  std::map<pid_t, Sight> sights_;
};

}  // namespace tcplab::app
