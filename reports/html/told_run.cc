#include "reports/html/told_run.hh"

#include <algorithm>
#include <utility>

namespace tcplab::html {

namespace {

using capture::Event;

// A browser can still open a page with this number of steps.
constexpr std::size_t kMostSteps = 20'000;
// The most events that may wait for their step: a frame's states, a call's return.
constexpr std::size_t kMostComing = 8192;

}  // namespace

const Event* ToldRun::event(std::uint64_t number) const {
  const auto found = events.find(number);
  return found == events.end() ? nullptr : &found->second;
}

const Event* ToldRun::first_event(const reports::Step& step) const {
  return step.events.empty() ? nullptr : event(step.events.front());
}

const capture::Packet* ToldRun::packet_of(const reports::Step& step) const {
  const Event* event = first_event(step);
  return event == nullptr ? nullptr : std::get_if<capture::Packet>(&event->body);
}

RunGatherer::RunGatherer()
    : narrator_([this](const reports::Step& step) { keep(step); }, reports::Style{.width = 1000}) {}

void RunGatherer::event(const Event& event) {
  if (!told_.start) told_.start = event.at;
  plots_.event(event);
  latency_.event(event);
  if (const auto* state = std::get_if<capture::State>(&event.body)) told_.edges.add(*state);
  if (const auto* verdict = std::get_if<capture::Verdict>(&event.body))
    ++(verdict->passed ? told_.passed : told_.failed);
  if (std::holds_alternative<capture::Unchecked>(event.body)) ++told_.unchecked;
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) {
    told_.run = *run;
    told_.start = event.at;
    knowledge_.see(event);
  } else if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) {
    finish();
    told_.end = *end;
  } else if (told_.steps.size() >= kMostSteps) {
    ++told_.left_out;
  } else {
    coming_.emplace(event.number, event);
    if (coming_.size() > kMostComing) coming_.erase(coming_.begin());
    order_.add(event);
    while (order_.is_due()) tell_oldest();
  }
}

ToldRun RunGatherer::take() {
  told_.plots = plots_.take();
  told_.latencies = latency_.programs();
  return std::move(told_);
}

void RunGatherer::finish() {
  while (!order_.empty()) tell_oldest();
}

void RunGatherer::tell_oldest() {
  const Event event = order_.take();
  narrator_.tell(event, order_);
  learn(event);  // also events without a step
}

/// Takes each event once. Some belong to an earlier event's step, and come before their turn.
void RunGatherer::learn(const Event& event) {
  if (!learned_.insert(event.number).second) return;
  if (learned_.size() > kMostComing) learned_.erase(learned_.begin());
  knowledge_.see(event);
}

void RunGatherer::keep(const reports::Step& step) {
  std::vector<std::uint64_t> in_order = step.events;  // a call is entered before it returns
  std::ranges::sort(in_order);
  for (const std::uint64_t number : in_order) {
    const auto found = coming_.find(number);
    if (found == coming_.end()) continue;
    learn(found->second);
    told_.events.insert(*found);
  }
  told_.steps.push_back(step);
  told_.views.push_back(knowledge_.views());
}

}  // namespace tcplab::html
