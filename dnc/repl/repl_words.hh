// A line of the REPL taken apart: words, quoted as in C.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tcplab::dnc {

using Words = std::vector<std::string>;

/// Words are separated by spaces; one in double quotes may hold them. C's escapes count in both.
/// A line that is empty or begins with # has none. Throws base::UsageError with its reason.
Words split_words(std::string_view line);

/// "IN|OUT", "in,hup", "POLLIN", "none", "0x11"; nothing for a name that poll(2) does not have.
std::optional<int> parse_poll_events(std::string_view text);

}  // namespace tcplab::dnc
