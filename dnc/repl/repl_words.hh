// Parses the REPL's lines: words, quoted as in C, and the names of poll(2) events.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tcplab::dnc {

using Words = std::vector<std::string>;

/// Splits a line at spaces; a word in double quotes may contain spaces. C escapes work in all
/// words. An empty line, or one that begins with #, has no words. Throws base::UsageError with its
/// reason.
Words split_words(std::string_view line);

}  // namespace tcplab::dnc
