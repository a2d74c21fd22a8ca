#include "scenarios/engine/lab/timeline.hh"

#include <algorithm>

namespace tcplab::engine {

using capture::Event;

Timeline::Timeline(std::filesystem::path file, std::size_t keep)
    : file_(std::move(file)), keep_(keep), log_(file_.string()) {}

void Timeline::append(base::Instant at, capture::Body body) {
  kept_.push_back(Event{.number = ++last_, .at = at, .body = std::move(body)});
  if (kept_.size() > keep_) kept_.pop_front();
  log_.append(kept_.back());
  const Event event = kept_.back();  // a listener may append
  for (const Listener& listener : listeners_) listener(event);
}

void Timeline::visit_after(std::uint64_t number, const std::function<bool(const Event&)>& visit) {
  if (kept_.empty()) return;
  if (number + 1 < kept_.front().number && !visit_file(number, visit)) return;
  const std::uint64_t first = std::max(number + 1, kept_.front().number);
  for (std::size_t i = first - kept_.front().number; i < kept_.size(); ++i)
    if (!visit(kept_[i])) return;
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
  const std::size_t skipped = kept_.size() > count ? kept_.size() - count : 0;
  return {kept_.begin() + static_cast<std::ptrdiff_t>(skipped), kept_.end()};
}

}  // namespace tcplab::engine
