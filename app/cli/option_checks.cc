#include "app/cli/option_checks.hh"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <regex>
#include <vector>

#include "app/audit/duration.hh"

namespace tcplab::app {

OptionCheck not_empty() {
  return
      [](const std::string& value) { return value.empty() ? "the value is empty" : std::string(); };
}

OptionCheck at_least(std::uint64_t least) {
  return [least](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && value >= least) return std::string();
    return fmt::format("\"{}\" is not a whole number from {} to {}", text, least,
                       std::numeric_limits<std::uint64_t>::max());
  };
}

OptionCheck in_range(std::int64_t least, std::int64_t most) {
  return [range = CLI::Range(least, most)](const std::string& value) { return range(value); };
}

OptionCheck a_duration() {
  return [](const std::string& text) {
    return parse_duration(text) ? "" : "write it as 30s, 5m or 2h; at most a day";
  };
}

OptionCheck a_web_folder() {
  return [](const std::string& text) {
    static const std::regex kFolder(
        "https?://[A-Za-z0-9.\\-\\[\\]:]+(/[A-Za-z0-9._~%!$&'()*+,;=:@/-]*)?");
    return std::regex_match(text, kFolder)
               ? std::string()
               : fmt::format("\"{}\" is not an address such as https://example.org/tcplab/", text);
  };
}

OptionCheck one_of(std::initializer_list<std::string> values) {
  return [known = std::vector<std::string>(values)](const std::string& value) {
    if (std::ranges::find(known, value) != known.end()) return std::string();
    return fmt::format("\"{}\" is not one of {}", value, fmt::join(known, ", "));
  };
}

}  // namespace tcplab::app
