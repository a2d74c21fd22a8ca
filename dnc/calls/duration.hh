// Durations as a person types them: "2s", "500ms", "1.5s", "2m", "100us"; a bare number is seconds.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace tcplab::dnc {

/// Nothing for text that is not a duration, or is negative, or is longer than a year.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// The same, where a bare number counts `unit`s instead of seconds.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text,
                                                       std::chrono::nanoseconds unit);

}  // namespace tcplab::dnc
