// A run as a page needs it: the steps, their events, and what each host knew after each step. A
// very long run keeps only its first steps, and the number of further events.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "reports/html/diagram.hh"
#include "reports/latency/run_latency.hh"
#include "reports/plots/flow_plot.hh"
#include "reports/story/knowledge.hh"
#include "reports/story/narrator.hh"
#include "reports/story/report.hh"
#include "reports/story/step.hh"
#include "reports/story/time_order.hh"
#include "reports/waits/run_waits.hh"

namespace tcplab::html {

struct PageRun {
  std::optional<capture::RunStart> run{};
  std::optional<capture::RunEnd> end{};
  std::optional<capture::Instant> start{};
  std::vector<reports::Step> steps{};
  std::vector<std::vector<reports::HostView>> views{};  // after each step
  std::map<std::uint64_t, capture::Event> events{};     // the events of the steps
  EdgeSet edges{};                                      // all state changes
  std::vector<plots::FlowPlot> plots{};
  std::vector<reports::ProgramLatency> latencies{};
  std::vector<reports::ProgramWaits> waits{};
  int passed = 0;
  int failed = 0;
  int unchecked = 0;           // expectations
  std::uint64_t left_out = 0;  // events beyond the limit
  bool is_cut_off = false;     // the file ends in the middle of a line
  bool is_capture = false;     // a connection of a capture: it has no outcome

  const capture::Event* event(std::uint64_t number) const;
  /// Returns the main event of a step; null for a pause.
  const capture::Event* first_event(const reports::Step& step) const;
  /// Returns the frame whose step it is; null if the step is something else.
  const capture::Packet* packet_of(const reports::Step& step) const;
};

class RunGatherer : public reports::Report {
public:
  RunGatherer();
  void event(const capture::Event& event) override;
  void finish() override;
  /// Begins in the middle of a run, after these events.
  void know(const reports::EarlierEvents& earlier) { narrator_.know(earlier); }
  /// Returns the result. The gatherer cannot be used afterwards.
  PageRun take();

private:
  void tell_oldest();
  void keep(const reports::Step& step);
  void learn(const capture::Event& event);

  PageRun page_;
  reports::TimeOrder order_;
  reports::Narrator narrator_;
  reports::Knowledge knowledge_;
  plots::PlotGatherer plots_;
  reports::RunLatency latency_;
  reports::RunWaits waits_;
  std::map<std::uint64_t, capture::Event> coming_;  // events of this step or a later one
  std::set<std::uint64_t> learned_;                 // events that knowledge_ has seen
};

}  // namespace tcplab::html
