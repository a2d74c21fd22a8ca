// Where everything stands in a ladder of a given width.
#pragma once

#include <string>
#include <vector>

#include "reports/story/step.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

struct Lane {
  std::string host;
  std::string address{};
  int line = 0;   // the lifeline's column
  int begin = 0;  // of the host's own text
  int end = 0;
  bool is_mirrored = false;  // its text is left of its lifeline
  bool has_power = true;
};

/// False where so many hosts cannot be told apart in so few columns.
bool lanes_fit(std::size_t hosts, const Style& style);

/// The time's column: six decimals where there is room, else four.
struct TimeColumn {
  int width = 10;
  int decimals = 6;
};
TimeColumn time_column(const Style& style);

/// "0.000123": relative to the start of the run.
std::string time_text(capture::Instant at, capture::Instant start, int decimals);

/// The line as it is, or where it is prose and too long, in several.
std::vector<StyledText> lines_of(const StateLine& line, int width);

/// Gives every lane its columns.
void lay_out(std::vector<Lane>& lanes, const Style& style);

}  // namespace tcplab::reports
