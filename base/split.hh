// Splits a text into lines, or into fields with a separator between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tcplab::base {

/// Returns the parts between the separators: "a", "" and "b" for "a,,b". As with std::getline(), a
/// separator at the end of the text ends its last part: the text "a\n" is one line, and "" is none.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace tcplab::base
