// Text for a terminal. Text from outside (data on the wire, scripts, programs) must pass through
// printable() first, so that no control character reaches the terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/text/style.hh"

namespace tcplab::reports {

/// Escapes control and formatting characters as in C ("\n", "\x1b", "\u202e"), and bytes that are
/// not UTF-8 as "\xff".
std::string printable(std::string_view text);

/// Returns the text as one printable line, cut to kLongestMessage columns.
std::string one_line(std::string_view text);
inline constexpr int kLongestMessage = 1000;

/// Returns a message of tcplab for standard error: "tcplab: ", one_line(text), and a line feed.
std::string message(std::string_view text);

/// Returns the columns of printable text on a terminal. A wide character has two, a combining one
/// none.
int columns(std::string_view text);

/// Returns the first characters of printable text that fit into `width` columns.
std::string_view first_columns(std::string_view text, int width);

/// Returns "…" or "...".
std::string_view ellipsis(const Style& style);

/// Cuts printable text to `width` columns, with an ellipsis.
std::string fit(std::string_view text, int width, const Style& style);

/// Breaks text at blanks and at every '\n' into lines of at most `width` columns. The lines are
/// printable. Returns at least one line.
std::vector<std::string> wrap(std::string_view text, int width);

/// Replaces each column of printable UTF-8 by ASCII: "─" by "-", an unknown character by "?".
std::string to_ascii(std::string_view text);

/// Returns "1 octet", "2 octets".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace tcplab::reports
