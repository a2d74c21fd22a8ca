// Faults that change when frames arrive, how often, and in which order.
#pragma once

#include <deque>

#include "lab/wire/fault.hh"

namespace tcplab::lab {

/// Holds frames until they are released.
class HoldFault : public Fault {
public:
  using Fault::Fault;

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::hold; }
  void act(FrameInTransit& frame_in_transit) override {
    frame_in_transit.hold(*this, effect(capture::EffectKind::held));
  }
};

/// Delays frames. Without jitter they keep their order.
class DelayFault : public Fault {
public:
  struct Span {
    base::nanoseconds by{};
    base::nanoseconds jitter{};  // as much more or less, evenly spread
    std::optional<std::uint32_t> seed{};
  };
  DelayFault(FaultScope scope, const Span& span)
      : Fault(std::move(scope)), span_(span), chance_(span.jitter.count() > 0 ? span.seed : 0) {}

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::delay; }
  std::string options() const override;
  void act(FrameInTransit& frame_in_transit) override;

  Span span_;
  Chance chance_;
};

/// A slow link with a queue before it. A frame is sent after those before it, and takes the time of
/// its bits; if the queue is full, it is lost (tail drop).
class LimitFault : public Fault {
public:
  LimitFault(FaultScope scope, double rate, std::size_t queue)
      : Fault(std::move(scope)), rate_(rate), queue_(queue) {}

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::limit; }
  std::string options() const override;
  void act(FrameInTransit& frame_in_transit) override;

  double rate_;                     // bits per second, with the Ethernet header
  std::size_t queue_;               // frames that wait, besides the one that is being sent
  std::deque<base::Instant> ends_;  // when each frame that is here will have been sent
};

class DuplicateFault : public Fault {
public:
  DuplicateFault(FaultScope scope, int copies, base::nanoseconds apart)
      : Fault(std::move(scope)), copies_(copies), apart_(apart) {}

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::duplicate; }
  std::string options() const override;
  void act(FrameInTransit& frame_in_transit) override {
    frame_in_transit.copy({copies_, apart_, effect(capture::EffectKind::copied)},
                          effect(capture::EffectKind::duplicated));
  }

  int copies_;
  base::nanoseconds apart_;
};

/// Delivers a frame after the next n frames that the filter picks.
class ReorderFault : public Fault {
public:
  ReorderFault(FaultScope scope, int behind) : Fault(std::move(scope)), behind_(behind) {}

private:
  struct Waiting {
    std::uint64_t frame;
    int others;  // that go first
  };
  capture::ActionVerb verb() const override { return capture::ActionVerb::reorder; }
  std::string options() const override { return "behind " + std::to_string(behind_); }
  void see(FrameInTransit& frame_in_transit) override;
  void act(FrameInTransit& frame_in_transit) override;

  int behind_;
  std::deque<Waiting> waiting_;
};

}  // namespace tcplab::lab
