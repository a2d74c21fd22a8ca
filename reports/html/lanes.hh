// Places the hosts. The first host has its texts on the left of its lifeline, all others on the
// right. Hosts that form a path (client, router, server) are in the order of the path.
#pragma once

#include <map>
#include <vector>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// Sizes of a picture that is as wide as a page.
struct Measures {
  double text = 272;                        // width of a host's texts
  double wire = 310;                        // between two hosts
  double long_wire = 330;                   // if a host's texts are over the wire
  double bare_wire = 240;                   // beside a host that only forwards
  std::map<std::size_t, double> heights{};  // of steps, by index, instead of the usual ones
};

/// The lanes, and the width of the picture.
struct Standing {
  std::vector<Lifeline> lanes;
  double width = 0;
};
Standing stand(const PageRun& page, const Measures& measures);

inline constexpr double kTimes = 92;  // least width of the steps' numbers and times
inline constexpr double kLeft = 10;   // left edge of everything else

}  // namespace tcplab::html
