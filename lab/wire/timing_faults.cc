#include "lab/wire/timing_faults.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tcplab::lab {

namespace {

constexpr double kBitsPerByte = 8;

base::nanoseconds nanoseconds_of(double seconds) {
  return base::nanoseconds(std::llround(seconds * 1e9));
}

std::string rate_text(double rate) {
  if (rate >= 1e9) return fmt::format("{:g} Gbit/s", rate / 1e9);
  if (rate >= 1e6) return fmt::format("{:g} Mbit/s", rate / 1e6);
  if (rate >= 1e3) return fmt::format("{:g} kbit/s", rate / 1e3);
  return fmt::format("{:g} bit/s", rate);
}

}  // namespace

std::string DelayFault::options() const {
  if (span_.jitter.count() == 0) return base::describe(span_.by);
  return fmt::format("{} ± {}, seed {}", base::describe(span_.by), base::describe(span_.jitter),
                     chance_.seed());
}

void DelayFault::act(FrameInTransit& frame_in_transit) {
  base::nanoseconds by = span_.by;
  if (span_.jitter.count() > 0)
    by += nanoseconds_of((2 * chance_.next() - 1) * double(span_.jitter.count()) / 1e9);
  capture::Effect delayed = effect(capture::EffectKind::delayed);
  delayed.span = by;
  frame_in_transit.delay(std::move(delayed));
}

std::string LimitFault::options() const {
  return fmt::format("{}, queue of {}", rate_text(rate_), queue_);
}

void LimitFault::act(FrameInTransit& frame_in_transit) {
  const base::Instant here = frame_in_transit.sent() + frame_in_transit.delayed();
  while (!ends_.empty() && ends_.front() <= here) ends_.pop_front();
  if (ends_.size() > queue_) return frame_in_transit.lose(effect(capture::EffectKind::queue_full));
  const base::Instant begins = ends_.empty() ? here : ends_.back();
  ends_.push_back(begins +
                  nanoseconds_of(double(frame_in_transit.bytes().size()) * kBitsPerByte / rate_));
  const base::nanoseconds by = ends_.back() - here;
  capture::Effect delayed = effect(capture::EffectKind::delayed);
  delayed.span = by;
  frame_in_transit.delay(std::move(delayed));
}

std::string DuplicateFault::options() const {
  if (apart_.count() > 0) return fmt::format("{} after {}", copies_, base::describe(apart_));
  return copies_ == 1 ? "" : std::to_string(copies_);
}

void ReorderFault::see(FrameInTransit& frame_in_transit) {
  for (Waiting& each : waiting_)
    if (--each.others == 0) frame_in_transit.is_followed_by({each.frame, this});
  std::erase_if(waiting_, [](const Waiting& each) { return each.others == 0; });
}

void ReorderFault::act(FrameInTransit& frame_in_transit) {
  waiting_.push_back({frame_in_transit.number(), behind_});
  frame_in_transit.hold(*this, effect(capture::EffectKind::reordered));
}

}  // namespace tcplab::lab
