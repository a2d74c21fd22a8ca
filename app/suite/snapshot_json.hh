// Writes and reads a reports::Snapshot as one line of JSON. The run's process sends it to the
// process that draws it.
#pragma once

#include <string>

#include "reports/story/snapshot.hh"

namespace tcplab::app {

std::string to_json(const reports::Snapshot& stand);
/// Throws if the text does not come from to_json().
reports::Snapshot parse_snapshot(const std::string& text);

}  // namespace tcplab::app
