#include "reports/explain/event_keeper.hh"

#include <utility>

namespace tcplab::reports {

namespace {

constexpr std::chrono::milliseconds kSilence(200);  // the frames around it are notable

}  // namespace

void EventKeeper::add(LadderFrame frame) {
  const capture::Instant at = frame.packet.at;
  frame.ordinal = ++count_;
  frame.frames_before = frames_;
  frame.octets_before = octets_;
  frame.previous_at = count_ == 1 ? at : previous_at_;
  if (at - frame.previous_at >= kSilence) {
    frame.is_notable = true;
    if (!last_.empty()) last_.back().is_notable = true;
  }
  previous_at_ = at;
  ++frames_.at(frame.sender);
  if (const auto* packet = std::get_if<capture::Packet>(&frame.packet.body);
      packet != nullptr && packet->protocol == "TCP")
    octets_.at(frame.sender) += packet->length;
  if (first_.size() < limits_.first) return first_.push_back(std::move(frame));
  last_.push_back(std::move(frame));
  if (last_.size() <= limits_.last) return;
  leave_out(std::move(last_.front()));
  last_.pop_front();
}

void EventKeeper::leave_out(LadderFrame frame) {
  if (!frame.is_notable) return;
  if (notable_.size() < limits_.notable / 2) return notable_.push_back(std::move(frame));
  late_notable_.push_back(std::move(frame));
  if (late_notable_.size() > limits_.notable / 2) late_notable_.pop_front();
}

void EventKeeper::add_trait(std::size_t sender, capture::SegmentTrait trait) {
  const auto add_to = [&](auto& frames) {
    for (LadderFrame& frame : frames)
      if (frame.sender == sender) frame.traits.add(trait);
  };
  add_to(first_);
  add_to(notable_);
  add_to(late_notable_);
  add_to(last_);
}

std::vector<LadderFrame> EventKeeper::frames() const {
  std::vector<LadderFrame> all = first_;
  all.insert(all.end(), notable_.begin(), notable_.end());
  all.insert(all.end(), late_notable_.begin(), late_notable_.end());
  all.insert(all.end(), last_.begin(), last_.end());
  return all;
}

}  // namespace tcplab::reports
