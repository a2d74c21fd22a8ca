// What a scenario expected and saw, as lines: "✓ expected", then what was seen.
#pragma once

#include <vector>

#include "capture/event.hh"
#include "reports/painted.hh"

namespace tcplab::reports {

/// At most `width` columns each. On one line where both fit.
std::vector<Painted> judgement_lines(const capture::Verdict& verdict, int width);

/// "✓" or "✗" in its colour.
Painted mark(bool passed);

}  // namespace tcplab::reports
