// Which members the events of each kind have, for bindings in other languages. The list is made
// from the same fields() as the JSON of events (event_fields.hh).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tcplab::capture {

struct EventMember {
  std::string name;
  /// "string", "integer", "boolean", "time" and "duration" (in nanoseconds), "object", or "any"; of
  /// a list, with "[]".
  std::string type;
};

struct EventKind {
  std::string_view name;
  std::vector<EventMember> members;  // in the order of the JSON; n, t and kind are not among them
};

/// Returns all kinds, in the order of Body's alternatives.
std::vector<EventKind> event_kinds();

}  // namespace tcplab::capture
