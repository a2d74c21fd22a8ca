// Waits in calls on TCP sockets, as a flame graph that a script draws, and as a table of the
// longest ones, which needs no script.
#pragma once

#include <string>

#include "reports/waits/wait_sums.hh"

namespace tcplab::html {

/// What the table of the longest waits says besides the wait itself.
struct FlameView {
  std::string label;        // of the graph: "Time waited"
  base::Instant start{};    // when the program or the run began
  bool has_threads = true;  // name the program, process and thread
  bool has_links = false;   // to the steps of a run's page: "#event=12"
};

/// Returns the markup of both. At most kMostSums sums are drawn (WaitSums::limited).
std::string flame(const reports::WaitSums& sums, const FlameView& view);

/// A browser draws this number at once.
inline constexpr std::size_t kMostSums = 4000;

}  // namespace tcplab::html
