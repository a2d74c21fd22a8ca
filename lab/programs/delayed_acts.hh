// Does things after the delays of a Perturbation, in the order in which they are given.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "lab/machine/perturbation.hh"
#include "lab/wire/clock.hh"

namespace tcplab::lab {

class DelayedActs {
public:
  using Act = std::function<void()>;

  /// `kind` and `one_in` are those of Perturbation::next().
  DelayedActs(Clock& clock, Perturbation& perturbation, std::string kind, unsigned one_in)
      : clock_(clock), perturbation_(perturbation), kind_(std::move(kind)), one_in_(one_in) {}

  /// Does it at once, or after a delay, but not before what was given earlier. This object forgets
  /// what it has not done when it ends.
  void act(Act what) {
    const base::nanoseconds delay = perturbation_.next(kind_, one_in_);
    if (waiting_.empty() && delay.count() == 0) return what();
    act_after(delay, std::move(what));
  }

  /// Does it after this delay, and after what was given earlier.
  void act_after(base::nanoseconds delay, Act what) {
    waiting_.push_back({.delay = delay, .what = std::move(what)});
    if (waiting_.size() == 1) wait();
  }

  /// Does at once all that waits.
  void hurry() {
    if (alarm_) alarm_->cancel();
    ++turn_;
    while (!waiting_.empty()) do_first();
  }

private:
  struct Waiting {
    base::nanoseconds delay{};
    Act what;
  };

  void wait() {
    if (!alarm_) alarm_ = clock_.make_alarm();
    // An alarm that is due can no longer be cancelled.
    alarm_->set(clock_.now() + waiting_.front().delay, [this, turn = ++turn_] {
      if (turn != turn_ || waiting_.empty()) return;
      do_first();
      if (!waiting_.empty()) wait();
    });
  }

  /// What it does may give more, or hurry.
  void do_first() {
    const Act what = std::move(waiting_.front().what);
    waiting_.pop_front();
    what();
  }

  Clock& clock_;
  Perturbation& perturbation_;
  std::string kind_;
  unsigned one_in_;
  std::deque<Waiting> waiting_;
  std::unique_ptr<Alarm> alarm_;
  std::uint64_t turn_ = 0;  // of the alarm
};

}  // namespace tcplab::lab
