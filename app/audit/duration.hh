// Durations as people write them: "30s", "5m", "2h", or a number of seconds.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace tcplab::app {

/// Returns empty unless the text is a whole number of at least 1, with s, m, h or nothing after it,
/// and at most a day.
std::optional<std::chrono::seconds> parse_duration(const std::string& text);

}  // namespace tcplab::app
