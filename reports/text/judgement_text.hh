// Formats a verdict: "✓ expected · seen".
#pragma once

#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// Returns the verdict in one line if it fits into `width` columns, otherwise in several. What
/// programs wrote last follows.
std::vector<StyledText> judgement_lines(const capture::Verdict& verdict, int width);

/// Returns the verdict in full: expected, seen, the nearest miss, what programs
/// wrote last. Lines have at most `width` columns.
std::vector<StyledText> judgement_details(const capture::Verdict& verdict, int width);

/// Returns what a program wrote last on a stream, each line of it on a line of its own.
std::vector<StyledText> written_lines(const capture::Verdict::LastLines& written, int width);

/// Returns "scenarios/puzzlers/power-cycle.lua:14", and the line itself without indentation.
std::vector<StyledText> script_lines(const capture::Verdict& verdict, const Style& style);

/// Returns "not checked, holds since Linux 6.5: kang ESTABLISHED".
std::string unchecked_text(const capture::Unchecked& unchecked);

/// Returns a coloured "✓" or "✗".
StyledText mark(bool passed);

}  // namespace tcplab::reports
