// Helpers of the REPL's commands: they format the kernel's answers, and parse numbers.
#pragma once

#include <string>
#include <string_view>

#include "dnc/calls/calls.hh"

namespace tcplab::dnc {

/// Return "read = -1 ECONNRESET (Connection reset by peer)" or "write = 5", with a newline.
std::string failure(std::string_view call, int error);
std::string answer_text(std::string_view call, const CallResult& answer);

/// Parses a number from `least` to `most`. Throws base::UsageError for any other text.
int parse_number(const std::string& text, int least, int most);

}  // namespace tcplab::dnc
