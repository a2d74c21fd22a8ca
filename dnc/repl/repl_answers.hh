// What the commands of the REPL share: how an answer of the kernel reads, and a number that was
// typed.
#pragma once

#include <string>
#include <string_view>

#include "dnc/calls/calls.hh"

namespace tcplab::dnc {

/// "read = -1 ECONNRESET (Connection reset by peer)", newline included.
std::string failure(std::string_view call, int error);
std::string answer_text(std::string_view call, const CallResult& answer);

/// Throws base::UsageError for what is not a number from `least` to `most`.
int parse_number(const std::string& text, int least, int most);

}  // namespace tcplab::dnc
