// Parses durations: "2s", "500ms", "1.5s", "2m", "100us". A number without a unit is in seconds.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tcplab::dnc {

/// Returns nullopt if the text is not a duration, is negative, or is longer than 366 days.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Does the same, but a number without a unit is in `unit`s.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text,
                                                       std::chrono::nanoseconds unit);

/// Returns true for a text of digits.
bool is_number(const std::string& text);

}  // namespace tcplab::dnc
