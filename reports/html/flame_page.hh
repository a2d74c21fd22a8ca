// The waits of a traced program as one HTML file, which needs no network: `tcplab trace --flame`.
#pragma once

#include <string>

#include "reports/waits/wait_sums.hh"

namespace tcplab::html {

struct FlamePage {
  std::string command;    // the program and its arguments
  std::string threshold;  // of --waits: "10ms"
  base::Instant start{};
  base::nanoseconds traced{};  // how long
};

std::string flame_page(const reports::WaitSums& sums, const FlamePage& page);

}  // namespace tcplab::html
