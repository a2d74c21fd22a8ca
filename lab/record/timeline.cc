#include "lab/record/timeline.hh"

#include <algorithm>

namespace tcplab::lab {

using capture::Event;

Timeline::Timeline(std::filesystem::path file, std::size_t keep)
    : file_(std::move(file)), keep_(keep), log_(file_.string()) {}

void Timeline::append(base::Instant at, capture::Body body) {
  kept_.push_back(Event{.number = ++last_, .at = at, .body = std::move(body)});
  if (kept_.size() > keep_) kept_.pop_front();
  log_.append(kept_.back());
  note_connection(kept_.back());
  const Event event = kept_.back();  // a listener may append
  for (const Listener& listener : listeners_) listener(event);
  if (budget_ != nullptr) budget_->spend(1);
}

void Timeline::visit_after(std::uint64_t number, const std::function<bool(const Event&)>& visit) {
  std::uint64_t next = number + 1;
  const auto visit_next = [&](const Event& event) {
    next = event.number + 1;
    return visit(event);  // it may append events
  };
  while (next <= last_) {
    const std::uint64_t before = next;
    if (next >= kept_.front().number) {
      if (!visit_next(kept_[next - kept_.front().number])) return;
    } else if (!visit_file(next - 1, visit_next)) {
      return;
    }
    if (next == before) return;  // somebody else has shortened the file
  }
}

void Timeline::note_connection(const Event& event) {
  if (const auto* state = std::get_if<capture::State>(&event.body))
    about_[{state->local, state->remote}].push_back(event.number);
  else if (const auto* kernel = std::get_if<capture::Kernel>(&event.body))
    about_[{kernel->local, kernel->remote}].push_back(event.number);
}

void Timeline::visit_about(const ConnectionKey& connection, std::uint64_t number,
                           const std::function<bool(const Event&)>& visit) {
  const auto found = about_.find(connection);
  if (found == about_.end()) return;
  const std::vector<std::uint64_t> numbers = found->second;  // the visitor may append events
  bool more = true;
  for (auto each = std::ranges::upper_bound(numbers, number); more && each != numbers.end(); ++each)
    visit_after(*each - 1, [&](const Event& event) {
      more = visit(event);
      return false;
    });
}

/// Visits the events that are no longer in memory. False if the visitor stopped.
bool Timeline::visit_file(std::uint64_t number, const std::function<bool(const Event&)>& visit) {
  log_.flush();
  capture::EventReader reader(file_.string());
  while (const auto event = reader.next()) {
    if (event->number >= kept_.front().number) break;
    if (event->number > number && !visit(*event)) return false;
  }
  return true;
}

std::vector<Event> Timeline::newest(std::size_t count) const {
  std::vector<Event> newest;
  for (auto event = kept_.rbegin(); event != kept_.rend() && newest.size() < count; ++event)
    if (!std::holds_alternative<capture::Sending>(event->body)) newest.push_back(*event);
  std::ranges::reverse(newest);
  return newest;
}

}  // namespace tcplab::lab
