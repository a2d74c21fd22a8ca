// events.jsonl: a timeline as a file, written as it grows and read back line by line. Neither
// side holds more than a piece of it in memory. docs/events.md is the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

/// Writes events to a file. What flush() has not seen yet is lost with the process: the caller
/// flushes once a turn of its loop.
class EventLog {
public:
  /// Makes the file anew. Throws base::SystemError that names it.
  explicit EventLog(std::string file);

  /// Both throw base::SystemError that names the file (ENOSPC: the disk is full). What has not
  /// been written then is forgotten; the file ends with the last whole line.
  void append(const Event& event);
  void flush();

private:
  void give_up(std::size_t written);

  std::string file_;
  base::FileDescriptor descriptor_;
  std::string pending_;
  std::uint64_t size_ = 0;  // of the file: whole lines
};

/// Reads events from a file, in bounded memory. A line that is still being written when it is
/// read counts as cut off.
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
  bool read_line();
  bool fill();
  [[noreturn]] void refuse(const std::string& why) const;

  std::string file_;
  base::FileDescriptor descriptor_;
  std::string buffer_;
  std::size_t at_ = 0;        // in the buffer: what is yet to be taken
  std::string_view line_;     // in the buffer
  std::uint64_t number_ = 0;  // the line's
  bool is_cut_off_ = false;   // no newline ends the line
  bool is_peeked_ = false;    // the constructor has read the line, next() has not taken it yet
  bool truncated_ = false;
};

}  // namespace tcplab::capture
