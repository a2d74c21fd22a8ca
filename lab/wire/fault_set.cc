#include "lab/wire/fault_set.hh"

#include <algorithm>
#include <utility>

#include "base/error.hh"

namespace tcplab::lab {

using netns::FrameDecision;

std::shared_ptr<Fault> FaultSet::add(std::shared_ptr<Fault> fault) {
  if (!fault->name().empty() && find(fault->name()) != nullptr)
    throw base::UsageError("there is a fault \"" + fault->name() + "\" already; remove it first");
  faults_.push_back(std::move(fault));
  on_added(faults_.size());
  return faults_.back();
}

Fault* FaultSet::find(const std::string& name) const {
  const auto found =
      std::ranges::find(faults_, name, [](const auto& each) { return each->name(); });
  return found == faults_.end() ? nullptr : found->get();
}

void FaultSet::remove(const Fault& fault) {
  pending_.release(fault);
  faults_.remove_if([&](const auto& candidate) { return candidate.get() == &fault; });
}

void FaultSet::act_on(FrameInTransit& frame_in_transit) const {
  for (const auto& fault : faults_) {
    fault->meet(frame_in_transit);
    if (frame_in_transit.is_lost()) return;
  }
}

FrameDecision FaultSet::send(netns::Frame& frame, FrameInTransit& frame_in_transit,
                             PendingFrame pending) {
  on_departure(pending);
  if (frame_in_transit.is_altered()) {
    altered_ = frame_in_transit.take_bytes();
    frame.bytes = altered_;
    frame.offload = frame_in_transit.offload();
  }
  const bool goes_now = pending.goes_at_once() && !pending.is_stepped;
  departures_.push_back(frame.number);
  send_copies(frame, frame_in_transit, pending);
  pending_.add(frame.number, std::move(pending));
  return goes_now ? FrameDecision::deliver : FrameDecision::hold;
}

void FaultSet::send_copies(const netns::Frame& frame, const FrameInTransit& frame_in_transit,
                           const PendingFrame& original) {
  for (const Copies& copies : frame_in_transit.copies()) {
    for (int i = 1; i <= copies.number; ++i) {
      PendingFrame copy = original;
      copy.effects = {copies.effect};
      copy.effects.front().frame = frame.number;
      copy.delay += i * copies.apart;
      const std::uint64_t number = pending_.hold_another(frame);
      if (copy.packet) {
        copy.packet->frame = number;
        on_copy(number, frame_in_transit.frame().bytes);
      }
      on_departure(copy);
      pending_.add(number, std::move(copy));
      departures_.push_back(number);
    }
  }
}

void FaultSet::decided(const netns::Frame& frame) {
  for (const std::uint64_t number : std::exchange(departures_, {})) pending_.send(number);
  for (const Follower& follower : std::exchange(followers_, {}))
    pending_.send_after(follower, frame.number);
}

}  // namespace tcplab::lab
