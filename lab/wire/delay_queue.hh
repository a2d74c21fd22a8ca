// Delays frames: calls back for each frame at its time, on the lab's clock. Frames with equal
// times keep the order of add().
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "lab/wire/clock.hh"

namespace tcplab::lab {

class DelayQueue {
public:
  using Callback = std::function<void(std::uint64_t frame)>;
  DelayQueue(Clock& clock, Callback on_due);

  void add(std::uint64_t frame, base::Instant due);
  bool empty() const { return waiting_.empty(); }

private:
  void set_alarm();
  void take_due();

  Clock& clock_;
  std::unique_ptr<Alarm> alarm_;
  Callback on_due_;
  std::map<std::pair<base::Instant, std::uint64_t>, std::uint64_t> waiting_;  // by time, number
  std::uint64_t added_ = 0;
};

}  // namespace tcplab::lab
