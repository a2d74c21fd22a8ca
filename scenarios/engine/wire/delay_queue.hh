// Frames on their way, each with the time when it is due to arrive. They land in the order of
// those times; of two that are due together, the one that started first. Waits on the engine's
// clock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "scenarios/engine/wire/clock.hh"

namespace tcplab::engine {

class DelayQueue {
public:
  using Land = std::function<void(std::uint64_t frame)>;
  DelayQueue(Clock& clock, Land land);

  void start(std::uint64_t frame, base::Instant due);
  bool empty() const { return flying_.empty(); }

private:
  void set_alarm();
  void land_due();

  Clock& clock_;
  std::unique_ptr<Alarm> alarm_;
  Land land_;
  std::map<std::pair<base::Instant, std::uint64_t>, std::uint64_t> flying_;
  std::uint64_t started_ = 0;
};

}  // namespace tcplab::engine
