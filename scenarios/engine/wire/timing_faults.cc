#include "scenarios/engine/wire/timing_faults.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tcplab::engine {

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

std::string DelayFault::details() const {
  if (span_.jitter.count() == 0) return base::describe(span_.by);
  return fmt::format("{} ± {}, seed {}", base::describe(span_.by), base::describe(span_.jitter),
                     chance_.seed());
}

void DelayFault::act(Passage& passage) {
  base::nanoseconds by = span_.by;
  if (span_.jitter.count() > 0)
    by += nanoseconds_of((2 * chance_.next() - 1) * double(span_.jitter.count()) / 1e9);
  passage.delay(by, "delayed " + base::describe(by) + " by " + label());
}

std::string LimitFault::details() const {
  return fmt::format("{}, queue of {}", rate_text(rate_), queue_);
}

void LimitFault::act(Passage& passage) {
  const base::Instant here = passage.sent() + passage.delayed();
  while (!ends_.empty() && ends_.front() <= here) ends_.pop_front();
  if (ends_.size() > queue_) return passage.lose("queue full: " + label());
  const base::Instant begins = ends_.empty() ? here : ends_.back();
  ends_.push_back(begins + nanoseconds_of(double(passage.bytes().size()) * kBitsPerByte / rate_));
  const base::nanoseconds by = ends_.back() - here;
  passage.delay(by, "delayed " + base::describe(by) + " by " + label());
}

std::string DuplicateFault::details() const {
  if (apart_.count() > 0) return fmt::format("{} after {}", copies_, base::describe(apart_));
  return copies_ == 1 ? "" : std::to_string(copies_);
}

void ReorderFault::see(Passage& passage) {
  for (Waiting& each : waiting_)
    if (--each.others == 0) passage.is_followed_by({each.frame, this});
  std::erase_if(waiting_, [](const Waiting& each) { return each.others == 0; });
}

void ReorderFault::act(Passage& passage) {
  waiting_.push_back({passage.number(), behind_});
  passage.hold(*this, label());
}

}  // namespace tcplab::engine
