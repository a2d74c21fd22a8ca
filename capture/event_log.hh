// events.jsonl: a timeline as a file, written as it grows and read back line by line. Neither
// side holds more than a piece of it in memory. docs/events.md is the format.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "base/file_descriptor.hh"
#include "capture/event.hh"

namespace tcplab::capture {

/// Writes events to a file. What flush() has not seen yet is lost with the process: the caller
/// flushes once a turn of its loop.
class EventLog {
public:
  /// Makes the file anew. Throws base::SystemError that names it.
  explicit EventLog(std::string file);

  /// Both throw base::SystemError that names the file (ENOSPC: the disk is full). What was
  /// written before stays whole.
  void append(const Event& event);
  void flush();

private:
  std::string file_;
  base::FileDescriptor descriptor_;
  std::string pending_;
};

/// Reads events from a file.
class EventReader {
public:
  /// Throws base::UsageError: no such file, or "FILE:1: not a tcplab events file: ...".
  explicit EventReader(std::string file);

  /// The next event; nothing at the end. Skips kinds that it does not know. Throws
  /// base::UsageError "FILE:LINE: ..." for a line that is not an event, but for a last line
  /// that was cut off: that is the end, and truncated() says so.
  std::optional<Event> next();

  bool truncated() const { return truncated_; }

private:
  std::string file_;
  std::ifstream stream_;
  std::uint64_t line_ = 0;
  bool truncated_ = false;
};

}  // namespace tcplab::capture
