// Converts events to lines of JSON and back: the format of events.jsonl, and of the calls that
// dnc reports. docs/events.md defines it.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

inline constexpr std::string_view kEventFormat = "tcplab-events";
inline constexpr int kEventFormatVersion = 2;
inline constexpr int kOldestEventFormatVersion = 1;  // that parse_event() reads

/// Appends the event as one line of JSON, without a newline. Leaves out members that are empty or
/// zero, except those that every event of the kind has (a call's result, a packet's fate).
void append_json(std::string& out, const Event& event);

std::string to_json_line(const Event& event);

/// Thrown for a kind of event that this program does not know. EventReader skips such an event.
class UnknownKind : public base::UsageError {
public:
  explicit UnknownKind(std::string_view kind);
};

/// Parses one line. Also accepts what dnc writes, without number, host and program. Ignores
/// unknown members. Throws base::UsageError that says what is wrong: `"fd" is not a whole number`;
/// UnknownKind if only the kind is.
Event parse_event(std::string_view line);

}  // namespace tcplab::capture
