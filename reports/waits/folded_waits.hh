// The waits of a traced program as folded stacks, for flame graph viewers: flamegraph.pl,
// speedscope, inferno. `tcplab trace --folded`.
#pragma once

#include <map>
#include <string>

#include "reports/waits/trace_wait.hh"

namespace tcplab::reports {

class FoldedWaits {
public:
  void add(const TraceWait& wait);

  /// Returns a line for each stack and end of a wait, in the order of the alphabet, with the sum of
  /// its waits in milliseconds: "python3;<module> (/srv/a.py:9);fetch (/srv/a.py:3);recvfrom
  /// 10.0.0.2:5432;ETIMEDOUT 127300". Empty without waits.
  std::string text() const;

private:
  std::map<std::string, base::nanoseconds> waits_;
};

}  // namespace tcplab::reports
