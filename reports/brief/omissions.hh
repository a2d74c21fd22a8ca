// Counts the steps that a picture leaves out.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/html/page_run.hh"

namespace tcplab::reports {

/// What is left out between two steps.
struct Gap {
  std::string text{};               // "14 retransmissions, all lost, in 15 min 24 s"
  std::vector<StateLine> states{};  // the last one of each host that changed, "and 8 more"
};

enum class StepKind : std::uint8_t {
  nothing,  // tells nothing about hosts: a pause, what the script waits for and checks
  retransmission,
  probe,
  acknowledgment,
  segment,
  other_frame,
  call,
  program_start,
  program_end,
  state_change,
  action,
  other,
};

/// What each step of a run is. A call that waits has two steps; only its end counts.
std::vector<StepKind> kinds_of(const html::PageRun& page);

class Omissions {
public:
  void add(const html::PageRun& page, std::size_t step, StepKind kind);
  bool empty() const { return counts_.empty(); }
  /// `span`: between the steps around it.
  Gap gap(capture::nanoseconds span) const;

private:
  void keep(const StateLine& line);

  std::map<StepKind, std::uint64_t> counts_;
  std::uint64_t frames_ = 0;
  std::uint64_t lost_ = 0;
  std::map<std::string, StateLine> states_;  // by host, the last one
  std::map<std::string, std::set<std::pair<capture::Endpoint, capture::Endpoint>>> changed_;
};

}  // namespace tcplab::reports
