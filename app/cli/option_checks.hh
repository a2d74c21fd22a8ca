// Checks of the values of options: each returns what is wrong with a value, or an empty text, as
// CLI::Option::check() wants.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

namespace tcplab::app {

using OptionCheck = std::function<std::string(const std::string& value)>;

/// Refuses an empty value. In a shell script it comes from an unset variable, by mistake.
OptionCheck not_empty();

/// Accepts a whole number that is at least `least`. CLI11's PositiveNumber is a range of double,
/// and its Range takes -1 for the largest unsigned number.
OptionCheck at_least(std::uint64_t least);

/// Accepts a number from `least` to `most`.
OptionCheck in_range(std::int64_t least, std::int64_t most);

/// Accepts a duration: "30s", "5m" (parse_duration()).
OptionCheck a_duration();

/// Accepts the address of a folder on the web: "https://example.org/tcplab/".
OptionCheck a_web_folder();

OptionCheck one_of(std::initializer_list<std::string> values);

}  // namespace tcplab::app
