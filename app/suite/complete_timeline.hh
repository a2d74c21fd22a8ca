// Ends the timeline of a run that was killed, so that its folder says why.
#pragma once

#include <filesystem>
#include <string>

namespace tcplab::app {

/// Cuts off an incomplete last line of the run's events.jsonl, and appends the end of a broken run,
/// unless it has an end. Does nothing if the file cannot be read: then the run has no events.
void complete_timeline(const std::filesystem::path& folder, const std::string& reason);

}  // namespace tcplab::app
