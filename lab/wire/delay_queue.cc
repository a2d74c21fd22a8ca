#include "lab/wire/delay_queue.hh"

namespace tcplab::lab {

namespace {

// After this many, programs' output and other timers have their turn.
constexpr int kFramesPerTurn = 64;

}  // namespace

DelayQueue::DelayQueue(Clock& clock, Callback on_due)
    : clock_(clock), alarm_(clock.make_alarm()), on_due_(std::move(on_due)) {}

void DelayQueue::add(std::uint64_t frame, base::Instant due) {
  const auto place = waiting_.emplace(std::pair(due, ++added_), frame).first;
  if (place == waiting_.begin()) set_alarm();
}

void DelayQueue::set_alarm() {
  if (!waiting_.empty()) alarm_->set(waiting_.begin()->first.first, [this] { take_due(); });
}

void DelayQueue::take_due() {
  const base::Instant now = clock_.now();
  for (int taken = 0; taken < kFramesPerTurn && !waiting_.empty(); ++taken) {
    if (waiting_.begin()->first.first > now) break;
    on_due_(waiting_.extract(waiting_.begin()).mapped());
  }
  set_alarm();
}

}  // namespace tcplab::lab
