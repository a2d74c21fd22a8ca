#include "dnc/calls/duration.hh"

#include <array>
#include <charconv>
#include <utility>

namespace tcplab::dnc {

namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

std::optional<nanoseconds> parse_unit(std::string_view text, nanoseconds when_bare) {
  static constexpr std::array<std::pair<std::string_view, nanoseconds>, 5> kUnits = {
      {{"us", 1us}, {"ms", 1ms}, {"s", 1s}, {"m", 1min}, {"h", 1h}}};
  if (text.empty()) return when_bare;
  for (const auto& [name, unit] : kUnits)
    if (text == name) return unit;
  return std::nullopt;
}

}  // namespace

std::optional<nanoseconds> parse_duration(std::string_view text, nanoseconds when_bare) {
  constexpr double kLongest = 366.0 * 24 * 3600 * 1e9;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const auto unit = parse_unit(text.substr(static_cast<std::size_t>(end - text.data())), when_bare);
  if (!unit) return std::nullopt;
  const double length = number * static_cast<double>(unit->count());
  if (!(length >= 0) || length > kLongest) return std::nullopt;  // !(>=) is true for NaN, too
  return nanoseconds(static_cast<nanoseconds::rep>(length));
}

std::optional<nanoseconds> parse_duration(std::string_view text) {
  return parse_duration(text, 1s);
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace tcplab::dnc
