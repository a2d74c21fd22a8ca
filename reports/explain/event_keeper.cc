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

template <typename Change>
void EventKeeper::change_all(const Change& change) {
  for (LadderFrame& frame : first_) change(frame);
  for (LadderFrame& frame : notable_) change(frame);
  for (LadderFrame& frame : late_notable_) change(frame);
  for (LadderFrame& frame : last_) change(frame);
}

void EventKeeper::add_trait(std::size_t sender, capture::SegmentTrait trait) {
  change_all([sender, trait](LadderFrame& frame) {
    if (frame.sender == sender) frame.traits.add(trait);
  });
}

void EventKeeper::withdraw(const std::string& host, capture::TcpState state) {
  change_all([&host, state](LadderFrame& frame) {
    std::erase_if(frame.states, [&host, state](const capture::Event& event) {
      const auto& change = std::get<capture::State>(event.body);
      return change.host == host && change.to == state;
    });
  });
}

std::vector<LadderFrame> EventKeeper::frames() const {
  std::vector<LadderFrame> all = first_;
  all.insert(all.end(), notable_.begin(), notable_.end());
  all.insert(all.end(), late_notable_.begin(), late_notable_.end());
  all.insert(all.end(), last_.begin(), last_.end());
  return all;
}

}  // namespace tcplab::reports
