#include "app/audit/duration.hh"

#include <charconv>
#include <cstdint>
#include <string_view>

namespace tcplab::app {

namespace {

constexpr std::int64_t kMost = 86'400;

/// Seconds in a unit; 0 for an unknown one.
std::int64_t seconds_in(std::string_view unit) {
  if (unit.empty() || unit == "s") return 1;
  if (unit == "m") return 60;
  if (unit == "h") return 3600;
  return 0;
}

}  // namespace

std::optional<std::chrono::seconds> parse_duration(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || number < 1 || number > kMost) return std::nullopt;
  const std::int64_t unit = seconds_in(std::string_view(rest, end));
  if (unit == 0 || number * unit > kMost) return std::nullopt;
  return std::chrono::seconds(number * unit);
}

}  // namespace tcplab::app
