// What stands below the ladder of a run that is stepped through: the frame that hangs in the air,
// what each host's program and kernel are at, which timer comes next, what the script waits for,
// and the keys. Lines out; whoever has a terminal redraws them.
#pragma once

#include <string>
#include <vector>

#include "reports/story/knowledge.hh"
#include "reports/story/snapshot.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// Below these nobody can follow two hosts; whoever has the terminal says so.
inline constexpr int kNarrowestStep = 60;
inline constexpr int kLowestStep = 16;

struct StepPanel {
  Snapshot stand{};
  std::vector<HostView> hosts{};  // what each program knows, in the order of the ladder
  HostNames names{};
  std::string waits{};  // what the script waits for
  bool shows_help = false;
  int height = 24;  // of the window; some of it is the ladder's
};

/// At most `height` lines, of at most the style's width.
std::vector<StyledText> step_panel_lines(const StepPanel& panel, const Style& style);

}  // namespace tcplab::reports
