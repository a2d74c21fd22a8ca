// Quotes words for commands that a user may paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::base {

/// Returns the text as one word of sh(1): as it is if it has only letters, digits and characters
/// without a meaning there, else in single quotes.
std::string shell_word(std::string_view text);

}  // namespace tcplab::base
