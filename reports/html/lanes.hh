// Places the hosts. The first host has its texts on the left of its lifeline, all others on the
// right. Hosts that form a path (client, router, server) are in the order of the path.
#pragma once

#include <vector>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// The lanes, and the width of the picture.
struct Standing {
  std::vector<Lifeline> lanes;
  double width = 0;
};
Standing stand(const PageRun& page);

inline constexpr double kTimes = 92;  // least width of the steps' numbers and times
inline constexpr double kLeft = 10;   // left edge of everything else

}  // namespace tcplab::html
