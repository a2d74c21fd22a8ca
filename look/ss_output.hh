// Reads the output of `ss -tnoiep` (ss(8)), for connections of another machine.
#pragma once

#include <string>
#include <vector>

#include "look/looked_process.hh"

namespace tcplab::look {

struct SsOutput {
  std::vector<LookedProcess>
      processes;            // by pid; the last, without a pid, has the other connections
  std::size_t skipped = 0;  // lines that are no TCP connection
};

/// Reads the output, which may list no connection. Throws base::UsageError, with the option that is
/// missing, if it has no connection, or if none has its timer and its details.
SsOutput read_ss_output(const std::string& text);

/// Reads a time as ss writes a timer's: "200ms", "1.204ms" (1.2 s), "12sec", "1min59sec", "119min".
std::optional<base::nanoseconds> parse_ss_time(const std::string& text);

}  // namespace tcplab::look
