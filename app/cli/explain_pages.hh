// tcplab explain --html: web pages of the connections in a capture.
#pragma once

#include <string>

#include "reports/explain/capture_story.hh"

namespace tcplab::app {

/// Writes a page for each chosen connection, and an index if the capture has several connections.
/// `capture` has kept the events of the chosen connections. Returns the path of the page to open.
/// Throws base::UsageError if the folder has pages of another capture or of runs, and
/// base::LabError if a page cannot be written.
std::string write_capture_pages(const reports::FollowedCapture& capture,
                                const reports::CaptureStory& story, const std::string& file,
                                const std::string& folder);

}  // namespace tcplab::app
