// Where the hosts stand. Two face each other, with what they do on the outside; of more, each but
// the first has what it does on its right. Hosts on a path stand in the order of the path.
#pragma once

#include <vector>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// The lanes, and how wide the whole is.
struct Standing {
  std::vector<Lane> lanes;
  double width = 0;
};
Standing stand(const ToldRun& told);

inline constexpr double kTimeColumn = 74;

}  // namespace tcplab::html
