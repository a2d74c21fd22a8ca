// The explanation of a capture as JSON, for programs.
#pragma once

#include <iosfwd>
#include <string>

#include "reports/explain/capture_story.hh"

namespace tcplab::reports {

/// Writes one JSON object and a newline. docs/explain.md describes its members. `read_error` says
/// why reading the file ended early; empty if it was read to its end.
void write_capture_json(std::ostream& out, const FollowedCapture& capture,
                        const CaptureStory& story, const std::string& file,
                        const std::string& read_error);

}  // namespace tcplab::reports
