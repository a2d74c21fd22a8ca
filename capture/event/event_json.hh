// Events as lines of JSON and back: the format of events.jsonl, and of the calls that dnc
// reports of itself. docs/events.md is its definition.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

inline constexpr std::string_view kEventFormat = "tcplab-events";
inline constexpr int kEventFormatVersion = 1;

/// Appends the event as one line of JSON, without a newline. Members that are empty or zero are
/// left out, but for those that their kind is about (a call's result, a packet's fate).
void append_json(std::string& out, const Event& event);

std::string to_json_line(const Event& event);

/// A kind of event that this program is too old to know. A reader of a whole file skips it.
class UnknownKind : public base::UsageError {
public:
  explicit UnknownKind(std::string_view kind);
};

/// The event of one line. Takes what dnc writes, too: without number, host and program.
/// Members that it does not know are ignored.
/// Throws base::UsageError with what is wrong: `"fd" is not a whole number`;
/// UnknownKind when that is all.
Event parse_event(std::string_view line);

}  // namespace tcplab::capture
