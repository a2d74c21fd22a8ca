// Text for a terminal. What comes from elsewhere (data on the wire, scripts, programs) passes
// through printable() before anything else, so that no control character reaches a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/text/style.hh"

namespace tcplab::reports {

/// Control and formatting characters escaped as in C ("\n", "\x1b", "\u202e"), bytes that are not
/// UTF-8 as "\xff"; the rest unchanged.
std::string printable(std::string_view text);

/// The columns that printable text takes on a terminal: wide characters two, combining ones none.
int columns(std::string_view text);

/// The first characters of printable text that fit into `width` columns.
std::string_view first_columns(std::string_view text, int width);

/// "…" or "...".
std::string_view ellipsis(const Style& style);

/// Printable text cut to `width` columns, with an ellipsis where something is missing.
std::string fit(std::string_view text, int width, const Style& style);

/// Lines of at most `width` columns, broken at blanks where there are any and at every '\n'.
/// Each line is printable. At least one line.
std::vector<std::string> wrap(std::string_view text, int width);

/// Printable UTF-8 in ASCII, one column for one: "─" is "-", what has no diagnosis is "?".
std::string to_ascii(std::string_view text);

}  // namespace tcplab::reports
