// What a scenario expected and saw, as lines: "✓ expected", then what was seen.
#pragma once

#include <vector>

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// At most `width` columns each. On one line where both fit.
std::vector<StyledText> judgement_lines(const capture::Verdict& verdict, int width);

/// Everything about it: expected, seen, the nearest miss; at most `width` columns each.
std::vector<StyledText> judgement_details(const capture::Verdict& verdict, int width);

/// "scenarios/puzzlers/power-cycle.lua:14" and the line itself, its indentation taken off.
std::vector<StyledText> script_lines(const capture::Verdict& verdict, const Style& style);

/// "✓" or "✗" in its colour.
StyledText mark(bool passed);

}  // namespace tcplab::reports
