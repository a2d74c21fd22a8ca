// Calls a function at a time of the run's clock.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <utility>

#include "lab/wire/clock.hh"

namespace tcplab::lab {

/// Sends replies when it is time. Those of a server that is gone are never sent.
class Later {
public:
  explicit Later(Clock& clock) : clock_(clock) {}

  void run(base::nanoseconds delay, std::function<void()> task) {
    if (delay.count() == 0) return task();
    std::erase_if(waiting_, [](const Waiting& each) { return each.is_done; });
    Waiting& added = waiting_.emplace_back(Waiting{clock_.make_alarm()});
    added.alarm->set(clock_.now() + delay, [&added, task = std::move(task)] {
      task();
      added.is_done = true;  // only now: run() removes it, and the task with it
    });
  }

private:
  struct Waiting {
    std::unique_ptr<Alarm> alarm;
    bool is_done = false;
  };

  Clock& clock_;
  std::list<Waiting> waiting_;
};

}  // namespace tcplab::lab
