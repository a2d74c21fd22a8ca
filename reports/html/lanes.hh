// Where the hosts stand. Two face each other, with what they do on the outside; of more, each but
// the first has what it does on its right. Hosts on a path stand in the order of the path.
#pragma once

#include <vector>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// The lanes, and where the picture ends.
struct Standing {
  std::vector<Lifeline> lanes;
  double width = 0;
};
Standing stand(const ToldRun& told);

inline constexpr double kTimes = 64;  // room for the times, which end at nought
inline constexpr double kLeft = 10;   // of everything else

}  // namespace tcplab::html
