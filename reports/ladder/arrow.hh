// Draws frames as arrows: delivered ─── SYN seq 0 ──▶, lost ── data 22 ──╳, held ── FIN ──┤.
#pragma once

#include <string>

#include "reports/ladder/row.hh"
#include "reports/story/step.hh"

namespace tcplab::reports {

/// Draws an arrow from `tail` towards `tip`, in the columns between these two lifelines.
void put_arrow(Row& row, const Arrow& arrow, int tail, int tip, const Style& style);

}  // namespace tcplab::reports
