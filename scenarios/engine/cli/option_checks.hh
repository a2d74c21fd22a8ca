// Checks the values of options; several commands share them.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace tcplab::engine {

/// Refuses an empty value. In a shell script it comes from an unset variable, by mistake.
inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& value) { return value.empty() ? "the value is empty" : std::string(); }, "");
}

/// Accepts a whole number that is at least `least` and fits into Number. CLI11's PositiveNumber is
/// a range of double, and its Range takes -1 for the largest unsigned number.
template <typename Number>
CLI::Validator from(Number least) {
  return CLI::Validator(
      [least](const std::string& text) {
        Number value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc{} && end == text.data() + text.size();
        if (whole && value >= least) return std::string();
        return fmt::format("\"{}\" is not a whole number from {} to {}", text, least,
                           std::numeric_limits<Number>::max());
      },
      "");
}

}  // namespace tcplab::engine
