// A run as a page needs it: the steps that a reader sees, the events that they tell, and what
// everybody knew after each of them. Gathered from events as they come; a run without end keeps
// its first steps, and says how many events more there were.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "reports/html/edges.hh"
#include "reports/story/knowledge.hh"
#include "reports/story/narrator.hh"
#include "reports/story/report.hh"
#include "reports/story/step.hh"
#include "reports/story/time_order.hh"

namespace tcplab::html {

struct ToldRun {
  std::optional<capture::RunStart> run{};
  std::optional<capture::RunEnd> end{};
  std::optional<capture::Instant> start{};
  std::vector<reports::Step> steps{};
  std::vector<std::vector<reports::HostView>> views{};  // one a step: after it
  std::map<std::uint64_t, capture::Event> events{};     // those that the steps tell
  EdgeSet edges{};                                      // every change of state that was seen
  int passed = 0;
  int failed = 0;
  std::uint64_t left_out = 0;  // events that came when there were enough
  bool is_cut_off = false;     // the file ended in the middle of a line

  const capture::Event* event(std::uint64_t number) const;
  /// The event that the step is about; none for a pause.
  const capture::Event* first_event(const reports::Step& step) const;
};

class RunGatherer : public reports::Report {
public:
  RunGatherer();
  void event(const capture::Event& event) override;
  void finish() override;
  /// What has been gathered; the gatherer is of no more use.
  ToldRun take() { return std::move(told_); }

private:
  void tell_oldest();
  void keep(const reports::Step& step);
  void learn(const capture::Event& event);

  ToldRun told_;
  reports::TimeOrder order_;
  reports::Narrator narrator_;
  reports::Knowledge knowledge_;
  std::map<std::uint64_t, capture::Event> coming_;  // told by this step or a later one
  std::set<std::uint64_t> learnt_;
};

}  // namespace tcplab::html
