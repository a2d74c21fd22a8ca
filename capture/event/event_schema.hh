// The JSON Schema of a line of events.jsonl, made from event_fields.hh.
#pragma once

#include <string>

namespace tcplab::capture {

/// Returns docs/schema/events.schema.json.
std::string event_schema();

}  // namespace tcplab::capture
