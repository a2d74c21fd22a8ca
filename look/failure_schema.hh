// The JSON Schema of a failure record, and of what `tcplab look` looks at, made from
// failure_fields.hh.
#pragma once

#include <string>

namespace tcplab::look {

/// Returns docs/schema/failure.schema.json.
std::string failure_schema();

}  // namespace tcplab::look
