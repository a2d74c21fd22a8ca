// The explanation of a capture as JSON, for programs.
#pragma once

#include <string>

#include "reports/explain/capture_story.hh"

namespace tcplab::reports {

/// Returns one JSON object. docs/explain.md describes its members. `read_error` says why reading
/// the file ended early; empty if it was read to its end.
std::string capture_json(const FollowedCapture& capture, const CaptureStory& story,
                         const std::string& file, const std::string& read_error);

}  // namespace tcplab::reports
