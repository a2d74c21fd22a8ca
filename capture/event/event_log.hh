// Writes events.jsonl as a run goes on, and reads it back line by line. Neither keeps more than a
// part of the file in memory. docs/events.md defines the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

/// Writes events to a file. The caller calls flush() in every turn of its loop: if the process
/// dies, events since the last flush are lost.
class EventLog {
public:
  /// Creates or empties the file. Throws base::SystemError that names it.
  explicit EventLog(std::string file);

  /// Both throw base::SystemError that names the file (ENOSPC: the disk is full). Events that are
  /// not written by then are dropped; the file ends with the last whole line.
  void append(const Event& event);
  void flush();

private:
  void give_up(std::size_t written);

  std::string file_;
  base::FileDescriptor descriptor_;
  std::string pending_;
  std::uint64_t size_ = 0;  // of the file: whole lines
};

/// Reads events from a file, in bounded memory. A line that somebody is still writing counts as cut
/// off.
class EventReader {
public:
  /// Throws base::UsageError: no such file, or "FILE:1: not a tcplab events file: ...".
  explicit EventReader(std::string file);

  /// Returns the next event; nothing at the end. Skips unknown kinds. Throws base::UsageError
  /// "FILE:LINE: ..." for a line that is not an event. A last line that is cut off counts as the
  /// end instead; truncated() is then true.
  std::optional<Event> next();

  bool truncated() const { return truncated_; }

private:
  bool read_line();
  bool fill();
  [[noreturn]] void refuse(const std::string& why) const;

  std::string file_;
  base::FileDescriptor descriptor_;
  std::string buffer_;
  std::size_t at_ = 0;        // in the buffer: the next line
  std::string_view line_;     // in the buffer
  std::uint64_t number_ = 0;  // the line's
  bool is_cut_off_ = false;   // no newline ends the line
  bool is_peeked_ = false;    // the constructor read the line, and next() has not returned it
  bool truncated_ = false;
};

}  // namespace tcplab::capture
