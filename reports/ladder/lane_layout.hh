// Computes the columns of a ladder from its width.
#pragma once

#include <string>
#include <vector>

#include "reports/story/step.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct Lane {
  std::string host;
  std::string address{};
  int line = 0;   // column of the lifeline
  int begin = 0;  // columns of the host's text
  int end = 0;
  bool is_mirrored = false;  // the text is left of the lifeline
  bool has_power = true;
};

/// Returns whether the window is wide enough for this number of hosts.
bool lanes_fit(std::size_t hosts, const Style& style);

/// The column of the time, with 6 decimals, or 4 in a narrow window.
struct TimeColumn {
  int width = 10;
  int decimals = 6;
};
TimeColumn time_column(const Style& style);

/// Returns the seconds since the start of the run: "0.000123".
std::string time_text(capture::Instant at, capture::Instant start, int decimals);

/// The same, with fewer decimals from 1000 s on, so that the text fits into the column.
std::string time_text(capture::Instant at, capture::Instant start, const TimeColumn& column);

/// Breaks the line into several if it is prose and longer than `width`.
std::vector<StyledText> lines_of(const StateLine& line, int width);

/// Sets the columns of every lane.
void lay_out(std::vector<Lane>& lanes, const Style& style);

}  // namespace tcplab::reports
