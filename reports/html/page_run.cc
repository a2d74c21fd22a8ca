#include "reports/html/page_run.hh"

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

const Event* PageRun::event(std::uint64_t number) const {
  const auto found = events.find(number);
  return found == events.end() ? nullptr : &found->second;
}

const Event* PageRun::first_event(const reports::Step& step) const {
  return step.events.empty() ? nullptr : event(step.events.front());
}

const capture::Packet* PageRun::packet_of(const reports::Step& step) const {
  const Event* event = first_event(step);
  return event == nullptr ? nullptr : std::get_if<capture::Packet>(&event->body);
}

RunGatherer::RunGatherer()
    : narrator_([this](const reports::Step& step) { keep(step); }, reports::Style{.width = 1000}) {}

void RunGatherer::event(const Event& event) {
  if (!page_.start) page_.start = event.at;
  plots_.event(event);
  latency_.event(event);
  waits_.event(event);
  if (const auto* state = std::get_if<capture::State>(&event.body)) page_.edges.add(*state);
  if (const auto* verdict = std::get_if<capture::Verdict>(&event.body))
    ++(verdict->passed ? page_.passed : page_.failed);
  if (std::holds_alternative<capture::Unchecked>(event.body)) ++page_.unchecked;
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) {
    page_.run = *run;
    page_.start = event.at;
    knowledge_.see(event);
  } else if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) {
    finish();
    page_.end = *end;
  } else if (page_.steps.size() >= kMostSteps) {
    ++page_.left_out;
  } else {
    coming_.emplace(event.number, event);
    if (coming_.size() > kMostComing) coming_.erase(coming_.begin());
    order_.add(event);
    while (order_.is_due()) tell_oldest();
  }
}

PageRun RunGatherer::take() {
  page_.plots = plots_.take();
  page_.latencies = latency_.programs();
  waits_.finish();
  page_.waits = waits_.take();
  return std::move(page_);
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
    page_.events.insert(*found);
  }
  page_.steps.push_back(step);
  page_.views.push_back(knowledge_.views());
}

}  // namespace tcplab::html
