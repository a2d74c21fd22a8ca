#include "app/suite/failure_text.hh"

#include <vector>

#include "reports/ladder/failure.hh"

namespace tcplab::app {

namespace {

constexpr std::size_t kEventsShownOnFailure = 40;
constexpr std::size_t kMostIntroductions = 20;     // RunStart, and a HostUp for each host
constexpr std::uint64_t kIntroductionEnds = 1000;  // the last event number to look at

/// Returns the newest events, after the events that introduce the run and its hosts.
std::vector<capture::Event> events_around(ScriptedRun& run) {
  lab::Timeline& timeline = run.laboratory().timeline();
  const std::vector<capture::Event> newest = timeline.newest(kEventsShownOnFailure);
  std::vector<capture::Event> events;
  timeline.visit_after(0, [&](const capture::Event& event) {
    if (event.number >= newest.front().number || events.size() >= kMostIntroductions) return false;
    if (std::holds_alternative<capture::RunStart>(event.body) ||
        std::holds_alternative<capture::HostUp>(event.body))
      events.push_back(event);
    return event.number < kIntroductionEnds;
  });
  events.insert(events.end(), newest.begin(), newest.end());
  return events;
}

reports::EarlierEvents earlier_events(ScriptedRun& run) {
  lab::Timeline& timeline = run.laboratory().timeline();
  const std::uint64_t first = timeline.newest(kEventsShownOnFailure).front().number;
  reports::EarlierEvents earlier;
  timeline.visit_after(0, [&](const capture::Event& event) {
    if (event.number >= first) return false;
    earlier.note(event);
    return true;
  });
  return earlier;
}

}  // namespace

std::string failure_text(ScriptedRun& run) {
  const reports::EarlierEvents earlier = earlier_events(run);
  const reports::FailureView view{
      .style = {}, .start = run.laboratory().started(), .earlier = &earlier};
  std::string text = reports::describe_failure(*run.failed_verdict(), events_around(run), view);
  const lab::Stepper& stepper = run.laboratory().network().frames().stepper();
  if (stepper.has_stopped_any()) text += "\nThis run was " + stepper.account() + ".\n";
  const base::nanoseconds waited = run.laboratory().processor().waited();
  if (waited >= lab::kNoticeableWait)
    text += "\nThe machine was busy: the run and its programs waited " + base::describe(waited) +
            " for a processor.\n";
  return text;
}

}  // namespace tcplab::app
