// Frames as arrows: ─── SYN seq 0 ──▶, lost ones broken ── data 22 ──╳, held ones ── FIN ──┤.
#pragma once

#include <string>

#include "reports/ladder/row.hh"
#include "reports/story/step.hh"

namespace tcplab::reports {

/// Draws into the columns strictly between two lifelines, from `tail` towards `tip`.
void put_arrow(Row& row, const Arrow& arrow, int tail, int tip, const Style& style);

}  // namespace tcplab::reports
