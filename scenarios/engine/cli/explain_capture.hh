// tcplab explain FILE: somebody's own capture, told in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tcplab::engine {

struct ExplainCaptureOptions {
  std::optional<std::size_t> connection;  // only that one
  std::size_t most = 10;
};

/// Is this a file, a pipe or "-", standard input, that libpcap can be asked to read, rather than a
/// scenario's name or script?
bool is_capture(const std::string& what);

/// Prints it. Throws base::UsageError for a capture that cannot be read, or has no TCP.
int explain_capture(const std::string& file, const ExplainCaptureOptions& options);

}  // namespace tcplab::engine
