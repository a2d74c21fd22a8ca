// How often a benchmark repeats what it measures. With TCPLAB_BENCH_BRIEFLY set, it does so as
// rarely as it can: ./test only checks that each benchmark still works.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace tcplab::bench {

/// Returns `usual`, or a hundredth of it, but at least one.
inline int rounds(int usual) {
  return std::getenv("TCPLAB_BENCH_BRIEFLY") == nullptr ? usual : std::max(1, usual / 100);
}

}  // namespace tcplab::bench
