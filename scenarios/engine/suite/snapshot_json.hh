// A reports::Snapshot as one line of JSON, from the run's process to the one that shows it.
#pragma once

#include <string>

#include "reports/story/snapshot.hh"

namespace tcplab::engine {

std::string to_json(const reports::Snapshot& stand);
/// Throws where the text is not what to_json() makes.
reports::Snapshot parse_snapshot(const std::string& text);

}  // namespace tcplab::engine
