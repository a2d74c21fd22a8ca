#include "scenarios/engine/wire/delay_queue.hh"

namespace tcplab::engine {

namespace {

// After so many, programs' output and other timers have their turn.
constexpr int kLandingsPerTurn = 64;

}  // namespace

DelayQueue::DelayQueue(Clock& clock, Land land)
    : clock_(clock), alarm_(clock.make_alarm()), land_(std::move(land)) {}

void DelayQueue::start(std::uint64_t frame, base::Instant due) {
  const auto place = flying_.emplace(std::pair(due, ++started_), frame).first;
  if (place == flying_.begin()) set_alarm();
}

void DelayQueue::set_alarm() {
  if (!flying_.empty()) alarm_->set(flying_.begin()->first.first, [this] { land_due(); });
}

void DelayQueue::land_due() {
  const base::Instant now = clock_.now();
  for (int landed = 0; landed < kLandingsPerTurn && !flying_.empty(); ++landed) {
    if (flying_.begin()->first.first > now) break;
    land_(flying_.extract(flying_.begin()).mapped());
  }
  set_alarm();
}

}  // namespace tcplab::engine
