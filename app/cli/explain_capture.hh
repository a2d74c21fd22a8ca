// tcplab explain FILE: describes the TCP connections in a capture file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tcplab::app {

struct ExplainCaptureOptions {
  std::optional<std::size_t> connection;  // describe only this one
  std::optional<std::size_t> most;        // connections to describe in full; empty: the bad ones
  bool is_json = false;                   // print JSON
  std::string html;                       // write pages into this folder; empty: none
};

/// Returns whether `what` is a capture: a file or a pipe that is not a .lua file, or "-" (standard
/// input).
bool is_capture(const std::string& what);

/// Returns true if `what` can only be a file, because scenarios have no such names: it has a '/' or
/// an extension other than .lua.
bool is_file_name(const std::string& what);

/// Returns true if `what` is a file with a capture's extension: .pcap, .pcapng, .cap or one of them
/// and .gz.
bool has_capture_name(const std::string& what);

/// Prints the description. Throws base::UsageError if the capture cannot be read or has no TCP.
int explain_capture(const std::string& file, const ExplainCaptureOptions& options);

}  // namespace tcplab::app
