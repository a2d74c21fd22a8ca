// Where everything stands in a ladder of a given width.
#pragma once

#include <vector>

#include "reports/lane_view.hh"

namespace tcplab::reports {

/// The time's column: six decimals where there is room, else four.
struct TimeColumn {
  int width = 10;
  int decimals = 6;
};
TimeColumn time_column(const Style& style);

/// "0.000123": relative to the start of the run.
std::string time_text(capture::Instant at, capture::Instant start, int decimals);

/// The line as it is, or where it is prose and too long, in several.
std::vector<Painted> lines_of(const StateLine& line, int width);

/// Gives every lane its columns.
void lay_out(std::vector<Lane>& lanes, const Style& style);

}  // namespace tcplab::reports
