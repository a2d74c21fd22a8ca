// The panel below the ladder of `tcplab run --step`: the held frame, the program, sockets and next
// timer of each host, what the script waits for, and the keys. Returns lines; the caller draws
// them.
#pragma once

#include <string>
#include <vector>

#include "reports/story/knowledge.hh"
#include "reports/story/snapshot.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// The smallest window that has room for two hosts. The caller refuses a smaller one.
inline constexpr int kNarrowestStep = 60;
inline constexpr int kLowestStep = 16;

struct StepPanel {
  Snapshot stand{};
  std::vector<HostView> hosts{};  // what each program knows, in the ladder's order
  HostNames names{};
  std::string waits{};  // what the script waits for
  bool shows_help = false;
  int height = 24;  // of the window; the panel leaves some lines for the ladder
};

/// Returns at most `height` lines, at most as wide as the style says.
std::vector<StyledText> step_panel_lines(const StepPanel& panel, const Style& style);

}  // namespace tcplab::reports
