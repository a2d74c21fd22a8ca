// A run in a few steps, for a picture: those that matter most, in their order, and between them
// lines that say what is left out.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "reports/brief/omissions.hh"
#include "reports/html/page_run.hh"

namespace tcplab::reports {

struct Brief {
  html::PageRun page{};               // only the chosen steps, their views, a Remark for each gap
  std::map<std::size_t, Gap> gaps{};  // by the index of its Remark
  std::size_t shown = 0;              // steps without pauses
  std::size_t all = 0;                // of the run
};

inline constexpr std::size_t kMostBriefSteps = 12;

/// Chooses the steps as the short version of a page does, but at most kMostBriefSteps. The two
/// steps of a held frame stay together, and a gap of one step shows that step. What a script checks
/// and waits for is counted in `all`, and makes no gap.
Brief brief_of(html::PageRun page);

/// Returns "12 of 47 steps · ✓ passed · IPv4 · fast timers · Linux 6.18".
std::string foot_of(const Brief& brief);

/// Returns the title of the run; the name of its scenario if it has none.
std::string title_of(const Brief& brief);

}  // namespace tcplab::reports
