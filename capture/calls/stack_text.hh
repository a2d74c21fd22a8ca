// A copied stack as a line of text, for another process.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/calls/stack_copy.hh"

namespace tcplab::capture {

/// Returns "stack 42 ...", without a line feed: numbers, then the memory and the mappings in
/// hexadecimal digits.
std::string to_text(const StackCopy& stack);

/// Reads what to_text() wrote. Returns nothing for any other line. Throws base::UsageError if the
/// line is damaged.
std::optional<StackCopy> parse_stack_copy(std::string_view line);

}  // namespace tcplab::capture
