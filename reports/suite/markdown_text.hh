// Text for Markdown, as GitHub shows it. Text from outside must pass through these functions.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::reports {

/// Escapes Markdown. A backslash makes punctuation literal (CommonMark section 2.4).
std::string markdown_text(std::string_view text);

/// Returns the entity of a character that has a meaning in HTML or on GitHub, which notifies
/// "@somebody"; empty for other characters.
std::string_view github_entity(char letter);

}  // namespace tcplab::reports
